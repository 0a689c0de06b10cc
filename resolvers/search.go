package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *queryResolver) SearchUsers(ctx context.Context, searchToken string, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	found, err := r.Users.Search(ctx, searchToken, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownUsers(ctx, found, err)
}
