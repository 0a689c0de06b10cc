package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) SetUserDatingStatus(ctx context.Context, status social.DatingStatus) (*social.SeenUser, error) {
	return r.Dating.SetStatus(ctx, social.CallerFrom(ctx), status)
}

func (r *mutationResolver) ApproveMatch(ctx context.Context, userID string) (*bool, error) {
	return succeeded(r.Dating.Approve(ctx, social.CallerFrom(ctx), social.UserID(userID)))
}

func (r *mutationResolver) RejectMatch(ctx context.Context, userID string) (*bool, error) {
	return succeeded(r.Dating.Reject(ctx, social.CallerFrom(ctx), social.UserID(userID)))
}

func (r *queryResolver) SwipedRightUsers(ctx context.Context) ([]*social.SeenUser, error) {
	ids, err := r.Dating.Approvers(ctx, social.CallerFrom(ctx))
	if err != nil {
		return nil, err
	}
	return r.Users.Listed(ctx, viewer.From(ctx), ids, asked(ctx))
}

func (r *userResolver) MatchedUsers(ctx context.Context, obj *social.SeenUser, matchStatus social.MatchStatus, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Dating.Matched(ctx, obj, matchStatus, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}
