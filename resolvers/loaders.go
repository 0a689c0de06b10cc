package resolvers

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// loaders batch the single users and posts that several root fields of one operation
// request. They live as long as that operation. Their cached values have therefore passed
// its viewer's rules and include all details that the operation shows anywhere.
type loaders struct {
	resolver *Resolver
	ctx      context.Context
	make     sync.Once
	users    *batch.Loader[social.UserID, *social.SeenUser]
	posts    *batch.Loader[social.PostID, *social.SeenPost]
	files    *batch.Loader[social.PostID, string]
}

type loadersKey struct{}

// WithLoaders returns a context for one operation, derived from ctx, which must hold its
// viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return context.WithValue(ctx, loadersKey{}, &loaders{resolver: r, ctx: ctx})
}

// loadersFrom returns the operation's loaders and creates them on first use: most
// operations need none.
func loadersFrom(ctx context.Context) *loaders {
	l := ctx.Value(loadersKey{}).(*loaders)
	l.make.Do(func() {
		r, v := l.resolver, viewer.From(ctx)
		d := reads.Operation(ctx)
		l.users = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []social.UserID) (map[social.UserID]*social.SeenUser, error) {
			return r.Users.Visible(ctx, v, ids, d)
		})
		l.posts = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []social.PostID) (map[social.PostID]*social.SeenPost, error) {
			return r.Posts.Visible(ctx, v, ids, d)
		})
		l.files = batch.New(l.ctx, r.Gather, r.Posts.ImageFiles)
	})
	return l
}

// alone reports whether the current field is the operation's only root field, so that there
// is nothing to wait for.
func alone(ctx context.Context) bool {
	selected := graphql.GetOperationContext(ctx).Operation.SelectionSet
	if len(selected) != 1 {
		return false
	}
	_, field := selected[0].(*ast.Field)
	return field
}

// seenUser returns a user as the viewer sees it, or nil.
func (r *queryResolver) seenUser(ctx context.Context, id social.UserID) (*social.SeenUser, error) {
	if !alone(ctx) {
		user, _, err := loadersFrom(ctx).users.Load(ctx, id)
		return user, err
	}
	users, err := r.Users.Visible(ctx, viewer.From(ctx), []social.UserID{id}, asked(ctx))
	return users[id], err
}

// seenPost returns a post as the viewer sees it, or nil.
func (r *queryResolver) seenPost(ctx context.Context, id social.PostID) (*social.SeenPost, error) {
	if !alone(ctx) {
		post, _, err := loadersFrom(ctx).posts.Load(ctx, id)
		return post, err
	}
	posts, err := r.Posts.Visible(ctx, viewer.From(ctx), []social.PostID{id}, asked(ctx))
	return posts[id], err
}

// original returns the original of a post as the viewer sees it, or nil. It reads the
// original only if it was not read with the post or lacks selected details.
func (r *Resolver) original(ctx context.Context, p *social.SeenPost) (*social.SeenPost, error) {
	// The original's own original may be read later.
	if original, known := p.KnownOriginal(asked(ctx) &^ social.OriginalPost); known {
		return original, nil
	}
	post, _, err := loadersFrom(ctx).posts.Load(ctx, p.Original())
	return post, err
}

// imageFiles returns the location of a post's image, regardless of who may see the post;
// empty if it has none or no longer exists. Subscriptions call it for each event, since
// posts may be deleted meanwhile.
func (r *Resolver) imageFiles(ctx context.Context, id social.PostID) (string, error) {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		files, err := r.Posts.ImageFiles(ctx, []social.PostID{id})
		return files[id], err
	}
	files, _, err := loadersFrom(ctx).files.Load(ctx, id)
	return files, err
}
