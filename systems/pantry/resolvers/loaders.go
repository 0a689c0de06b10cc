package resolvers

import (
	"context"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// loaders gather the users that many foods and links of one operation name.
type loaders struct {
	resolver *Resolver
	ctx      context.Context
	make     sync.Once
	users    *batch.Loader[pantry.UserID, *pantry.SeenUser]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. Its viewer must be in ctx.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{resolver: r, ctx: ctx})
}

// named shows a user who did something in a group of the viewer's; nil when they are gone.
func (r *Resolver) named(ctx context.Context, id pantry.UserID) (*pantry.SeenUser, error) {
	l := ctx.Value(loadersKey{}).(*loaders)
	l.make.Do(func() {
		v := viewer.From(l.ctx)
		l.users = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []pantry.UserID) (map[pantry.UserID]*pantry.SeenUser, error) {
			return r.Household.Named(ctx, v, ids)
		})
	})
	user, _, err := l.users.Load(ctx, id)
	return user, err
}
