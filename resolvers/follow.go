package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *mutationResolver) FollowUser(ctx context.Context, userID string) (*stoa.SeenUser, error) {
	return r.Follows.Request(ctx, stoa.CallerFrom(ctx), stoa.UserID(userID))
}

func (r *mutationResolver) UnfollowUser(ctx context.Context, userID string) (*stoa.SeenUser, error) {
	return r.Follows.Leave(ctx, stoa.CallerFrom(ctx), stoa.UserID(userID))
}

func (r *mutationResolver) AcceptFollowerUser(ctx context.Context, userID string) (*stoa.SeenUser, error) {
	return r.Follows.Accept(ctx, stoa.CallerFrom(ctx), stoa.UserID(userID))
}

func (r *mutationResolver) DenyFollowerUser(ctx context.Context, userID string) (*stoa.SeenUser, error) {
	return r.Follows.Deny(ctx, stoa.CallerFrom(ctx), stoa.UserID(userID))
}

func (r *userResolver) FollowedUsers(ctx context.Context, obj *stoa.SeenUser, followStatus *stoa.FollowStatus, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Follows.Followed(ctx, obj, followStatus, page.Args{Limit: limit, NextToken: nextToken})
	return r.userPage(ctx, p, err)
}

func (r *userResolver) FollowerUsers(ctx context.Context, obj *stoa.SeenUser, followStatus *stoa.FollowStatus, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Follows.Followers(ctx, obj, followStatus, page.Args{Limit: limit, NextToken: nextToken})
	return r.userPage(ctx, p, err)
}
