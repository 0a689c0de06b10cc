package resolvers

import (
	"context"

	"stoa"
	"stoa/graph"
	"stoa/internal/kit/page"
)

// postPage hands a page of post ids on; nil is a list that the viewer may not see.
func postPage(p *page.Page[stoa.PostID], err error) (*graph.PostPage, error) {
	if p == nil || err != nil {
		return nil, err
	}
	return &graph.PostPage{PostIDs: p.Items, NextToken: p.Token()}, nil
}

// userPage shows a page of users to the viewer; nil is a list that they may not see.
func (r *Resolver) userPage(ctx context.Context, p *page.Page[stoa.UserID], err error) (*graph.PaginatedUsers, error) {
	if p == nil || err != nil {
		return nil, err
	}
	users, err := r.Users.Listed(ctx, stoa.ViewerFrom(ctx), p.Items, asked(ctx))
	if err != nil {
		return nil, err
	}
	return &graph.PaginatedUsers{Items: users, NextToken: p.Token()}, nil
}
