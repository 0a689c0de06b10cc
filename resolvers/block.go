package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *mutationResolver) BlockUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Blocks.Block(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *mutationResolver) UnblockUser(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.Blocks.Unblock(ctx, social.CallerFrom(ctx), social.UserID(userID))
}

func (r *userResolver) BlockedUsers(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Blocks.Blocked(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}
