package resolvers

import (
	"context"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// loaders batch reads for many items of a list.
type loaders struct {
	resolver *Resolver
	ctx      context.Context
	make     sync.Once

	users   *batch.Loader[messaging.UserID, *messaging.SeenUser]
	online  *batch.Loader[messaging.TopicID, bool]
	readers *batch.Loader[messaging.TopicID, messaging.Readers]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
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

// named returns a user, or nil if nothing of them is stored.
func (r *Resolver) named(ctx context.Context, id messaging.UserID) (*messaging.SeenUser, error) {
	if id == "" {
		return nil, nil
	}
	return one(r.loaders(ctx).users, ctx, id)
}

// one loads a value that may not exist.
func one[K comparable, V any](l *batch.Loader[K, V], ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}
