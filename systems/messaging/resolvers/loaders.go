package resolvers

import (
	"context"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// loaders gather what many items of a list name.
type loaders struct {
	resolver *Resolver
	ctx      context.Context
	make     sync.Once

	users   *batch.Loader[messaging.UserID, *messaging.SeenUser]
	online  *batch.Loader[messaging.TopicID, bool]
	readers *batch.Loader[messaging.TopicID, messaging.Readers]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. Its viewer must be in ctx.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{resolver: r, ctx: ctx})
}

func (r *Resolver) loaders(ctx context.Context) *loaders {
	l := ctx.Value(loadersKey{}).(*loaders)
	l.make.Do(func() {
		v := viewer.From(l.ctx)
		l.users = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []messaging.UserID) (map[messaging.UserID]*messaging.SeenUser, error) {
			return r.Accounts.Named(ctx, v, ids)
		})
		l.online = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []messaging.TopicID) (map[messaging.TopicID]bool, error) {
			return r.Presences.Online(ctx, v, ids)
		})
		l.readers = batch.New(l.ctx, r.Gather, r.Topics.Readers)
	})
	return l
}

// named shows a user, nil when nothing is left of them.
func (r *Resolver) named(ctx context.Context, id messaging.UserID) (*messaging.SeenUser, error) {
	if id == "" {
		return nil, nil
	}
	return one(r.loaders(ctx).users, ctx, id)
}

// one loads what there may be.
func one[K comparable, V any](l *batch.Loader[K, V], ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}
