package resolvers

import (
	"context"

	"stoa/internal/kit/batch"
	"stoa/systems/pantry"
)

// loaders batch reads of the users of many foods and links of one operation.
type loaders struct {
	users *batch.Loader[pantry.Met, *pantry.SeenUser]
}

// WithLoaders returns a context for one operation.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, func(ctx context.Context) *loaders {
		return &loaders{batch.New(ctx, r.Gather, r.Household.Met)}
	})
}

// met returns a user whom the viewer has met in a group, or nil if they are gone.
func (r *Resolver) met(ctx context.Context, m pantry.Met) (*pantry.SeenUser, error) {
	return batch.From[loaders](ctx).users.One(ctx, m)
}
