package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *mutationResolver) AddComment(ctx context.Context, commentID string, postID string, text string) (*stoa.SeenComment, error) {
	return r.Comments.Add(ctx, stoa.CallerFrom(ctx), stoa.CommentID(commentID), stoa.PostID(postID), text)
}

func (r *mutationResolver) DeleteComment(ctx context.Context, commentID string) (*stoa.SeenComment, error) {
	return r.Comments.Delete(ctx, stoa.CallerFrom(ctx), stoa.CommentID(commentID))
}

func (r *postResolver) Comments(ctx context.Context, obj *stoa.SeenPost, limit *int, nextToken *string, reverse *bool) (*graph.PaginatedComments, error) {
	return commentPage(r.Resolver.Comments.OfPost(ctx, stoa.ViewerFrom(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}, reverse != nil && *reverse, asked(ctx)))
}
