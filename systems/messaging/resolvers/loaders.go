package resolvers

import (
	"context"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/resolve"
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
		return &loaders{
			users:   resolve.Shown(ctx, r.Gather, r.Accounts.Named),
			online:  resolve.Shown(ctx, r.Gather, r.Presences.Online),
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
