package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *mutationResolver) OnymouslyLikePost(ctx context.Context, postID string) (*stoa.SeenPost, error) {
	return r.Likes.Like(ctx, stoa.CallerFrom(ctx), stoa.PostID(postID), stoa.OnymouslyLiked)
}

func (r *mutationResolver) AnonymouslyLikePost(ctx context.Context, postID string) (*stoa.SeenPost, error) {
	return r.Likes.Like(ctx, stoa.CallerFrom(ctx), stoa.PostID(postID), stoa.AnonymouslyLiked)
}

func (r *mutationResolver) DislikePost(ctx context.Context, postID string) (*stoa.SeenPost, error) {
	return r.Likes.Dislike(ctx, stoa.CallerFrom(ctx), stoa.PostID(postID))
}

func (r *postResolver) OnymouslyLikedBy(ctx context.Context, obj *stoa.SeenPost, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Likes.LikedBy(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.userPage(ctx, p, err)
}

func (r *userResolver) OnymouslyLikedPosts(ctx context.Context, obj *stoa.SeenUser, limit *int, nextToken *string) (*graph.PostPage, error) {
	return postPage(r.Likes.LikedPosts(ctx, obj, stoa.OnymouslyLiked, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *userResolver) AnonymouslyLikedPosts(ctx context.Context, obj *stoa.SeenUser, limit *int, nextToken *string) (*graph.PostPage, error) {
	return postPage(r.Likes.LikedPosts(ctx, obj, stoa.AnonymouslyLiked, page.Args{Limit: limit, NextToken: nextToken}))
}
