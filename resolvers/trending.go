package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *queryResolver) TrendingPosts(ctx context.Context, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Trending.Posts(ctx, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *queryResolver) TrendingUsers(ctx context.Context, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Trending.Users(ctx, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownUsers(ctx, p, err)
}
