package resolvers

import (
	"context"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// loaders batch reads for many items of a list.
type loaders struct {
	users   *batch.Loader[messaging.UserID, *messaging.SeenUser]
	online  *batch.Loader[messaging.TopicID, bool]
	readers *batch.Loader[messaging.TopicID, messaging.Readers]
}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, func(ctx context.Context) *loaders {
		v := viewer.From(ctx)
		return &loaders{
			users: batch.New(ctx, r.Gather, func(ctx context.Context, ids []messaging.UserID) (map[messaging.UserID]*messaging.SeenUser, error) {
				return r.Accounts.Named(ctx, v, ids)
			}),
			online: batch.New(ctx, r.Gather, func(ctx context.Context, ids []messaging.TopicID) (map[messaging.TopicID]bool, error) {
				return r.Presences.Online(ctx, v, ids)
			}),
			readers: batch.New(ctx, r.Gather, r.Topics.Readers),
		}
	})
}

func load(ctx context.Context) *loaders { return batch.From[loaders](ctx) }

// named returns a user, or nil if nothing of them is stored.
func (r *Resolver) named(ctx context.Context, id messaging.UserID) (*messaging.SeenUser, error) {
	if id == "" {
		return nil, nil
	}
	return load(ctx).users.One(ctx, id)
}
