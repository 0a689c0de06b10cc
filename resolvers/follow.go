package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *mutationResolver) FollowUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Follows.Request(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *mutationResolver) UnfollowUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Follows.Leave(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *mutationResolver) AcceptFollowerUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Follows.Accept(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *mutationResolver) DenyFollowerUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Follows.Deny(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *userResolver) FollowedUsers(ctx context.Context, obj *social.SeenUser, followStatus *social.FollowStatus, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Follows.Followed(ctx, obj, followStatus, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}

func (r *userResolver) FollowerUsers(ctx context.Context, obj *social.SeenUser, followStatus *social.FollowStatus, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Follows.Followers(ctx, obj, followStatus, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}
