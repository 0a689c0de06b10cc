package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

func (r *userResolver) Feed(ctx context.Context, obj *stoa.SeenUser, limit *int, nextToken *string) (*graph.PostPage, error) {
	return postPage(r.Resolver.Feed.Page(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}))
}
