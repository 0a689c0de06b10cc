package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *userResolver) Feed(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	posts, err := shownPosts(r.Resolver.Feed.Page(ctx, obj, page.Args{Limit: limit, NextToken: nextToken}))
	if posts != nil {
		posts.Followed = true
	}
	return posts, err
}
