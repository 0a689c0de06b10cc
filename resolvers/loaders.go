package resolvers

import (
	"context"

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
	users *batch.Loader[social.UserID, *social.SeenUser]
	posts *batch.Loader[social.PostID, *social.SeenPost]
	files *batch.Loader[social.PostID, string]
}

// WithLoaders returns a context for one operation, derived from ctx, which must hold the
// operation and its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, r.newLoaders)
}

func (r *Resolver) newLoaders(ctx context.Context) *loaders {
	v, d := viewer.From(ctx), reads.Operation(ctx)
	return &loaders{
		users: batch.New(ctx, r.Gather, func(ctx context.Context, ids []social.UserID) (map[social.UserID]*social.SeenUser, error) {
			return r.Users.Visible(ctx, v, ids, d)
		}),
		posts: batch.New(ctx, r.Gather, func(ctx context.Context, ids []social.PostID) (map[social.PostID]*social.SeenPost, error) {
			return r.Posts.Visible(ctx, v, ids, d)
		}),
		files: batch.New(ctx, r.Gather, r.Posts.ImageFiles),
	}
}

func load(ctx context.Context) *loaders { return batch.From[loaders](ctx) }

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
		return load(ctx).users.One(ctx, id)
	}
	users, err := r.Users.Visible(ctx, viewer.From(ctx), []social.UserID{id}, asked(ctx))
	return users[id], err
}

// seenPost returns a post as the viewer sees it, or nil.
func (r *queryResolver) seenPost(ctx context.Context, id social.PostID) (*social.SeenPost, error) {
	if !alone(ctx) {
		return load(ctx).posts.One(ctx, id)
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
	return load(ctx).posts.One(ctx, p.Original())
}

// imageFiles returns the location of a post's image, regardless of who may see the post;
// empty if it has none or no longer exists. Subscriptions call it for each event, since
// posts may be deleted meanwhile.
func (r *Resolver) imageFiles(ctx context.Context, id social.PostID) (string, error) {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		files, err := r.Posts.ImageFiles(ctx, []social.PostID{id})
		return files[id], err
	}
	return load(ctx).files.One(ctx, id)
}
