package resolvers

import (
	"context"

	"stoa"
	"stoa/internal/kit/batch"
)

// loaders gather the single users and posts that the root fields of one operation
// ask for. They live as long as that operation, so what they remember has passed its
// viewer's rules.
type loaders struct {
	users *batch.Loader[stoa.UserID, *stoa.SeenUser]
	posts *batch.Loader[stoa.PostID, *stoa.SeenPost]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. Its viewer must be in ctx.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	v := stoa.ViewerFrom(ctx)
	return context.WithValue(ctx, loadersKey{}, &loaders{
		users: batch.New(ctx, func(ctx context.Context, ids []stoa.UserID) (map[stoa.UserID]*stoa.SeenUser, error) {
			return r.Users.Visible(ctx, v, ids, everything)
		}),
		posts: batch.New(ctx, func(ctx context.Context, ids []stoa.PostID) (map[stoa.PostID]*stoa.SeenPost, error) {
			return r.Posts.Visible(ctx, v, ids, everything)
		}),
	})
}

func loadersFrom(ctx context.Context) *loaders { return ctx.Value(loadersKey{}).(*loaders) }
