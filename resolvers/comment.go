package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) AddComment(ctx context.Context, commentID string, postID string, text string) (*social.SeenComment, error) {
	return r.Comments.Add(ctx, social.CallerFrom(ctx), social.CommentID(commentID), social.PostID(postID), text, asked(ctx))
}

func (r *mutationResolver) DeleteComment(ctx context.Context, commentID string) (*social.SeenComment, error) {
	return r.Comments.Delete(ctx, social.CallerFrom(ctx), social.CommentID(commentID), asked(ctx))
}

func (r *postResolver) Comments(ctx context.Context, obj *social.SeenPost, limit *int, nextToken *string, reverse *bool) (*graph.PaginatedComments, error) {
	return shown[graph.PaginatedComments](
		r.Resolver.Comments.OfPost(ctx, viewer.From(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}, optional.Or(reverse, false), asked(ctx)),
	)
}

func (r *userResolver) PostsWithUnviewedComments(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Resolver.Posts.WithUnviewedComments(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *userResolver) PostsByNewCommentActivity(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return r.PostsWithUnviewedComments(ctx, obj, limit, nextToken)
}
