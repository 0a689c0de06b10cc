package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
	"time"
)

func (r *mutationResolver) EditPostExpiresAt(ctx context.Context, postID string, expiresAt *time.Time) (*social.SeenPost, error) {
	return r.Posts.EditExpiresAt(ctx, social.CallerFrom(ctx), social.PostID(postID), expiresAt, asked(ctx))
}

func (r *userResolver) Stories(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Resolver.Stories.OfUser(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *userResolver) FollowedUsersWithStories(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	users, err := r.Resolver.Stories.Followed(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, users, err)
}
