package resolvers

import (
	"context"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// loaders batch reads of the users of many foods and links of one operation.
type loaders struct {
	users *batch.Loader[pantry.UserID, *pantry.SeenUser]
}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, func(ctx context.Context) *loaders {
		v := viewer.From(ctx)
		return &loaders{batch.New(ctx, r.Gather, func(ctx context.Context, ids []pantry.UserID) (map[pantry.UserID]*pantry.SeenUser, error) {
			return r.Household.Named(ctx, v, ids)
		})}
	})
}

// named returns a user who acted in a group of the viewer, or nil if they are gone.
func (r *Resolver) named(ctx context.Context, id pantry.UserID) (*pantry.SeenUser, error) {
	return batch.From[loaders](ctx).users.One(ctx, id)
}
