package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *mutationResolver) OnymouslyLikePost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Likes.Like(ctx, social.CallerFrom(ctx), social.PostID(postID), social.OnymouslyLiked, asked(ctx))
}

func (r *mutationResolver) AnonymouslyLikePost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Likes.Like(ctx, social.CallerFrom(ctx), social.PostID(postID), social.AnonymouslyLiked, asked(ctx))
}

func (r *mutationResolver) DislikePost(ctx context.Context, postID string) (*social.SeenPost, error) {
	return r.Likes.Dislike(ctx, social.CallerFrom(ctx), social.PostID(postID), asked(ctx))
}

func (r *postResolver) OnymouslyLikedBy(ctx context.Context, obj *social.SeenPost, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Likes.LikedBy(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}

func (r *userResolver) OnymouslyLikedPosts(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Likes.LikedPosts(ctx, obj, social.OnymouslyLiked, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *userResolver) AnonymouslyLikedPosts(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Likes.LikedPosts(ctx, obj, social.AnonymouslyLiked, page.Args{Limit: limit, NextToken: nextToken}))
}
