package resolvers

import (
	"context"
	"errors"

	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// listError makes what package page refuses readable to clients: a kit knows no
// nouns, so neither does its error.
func listError(err error) error {
	if errors.Is(err, page.ErrLimit) {
		return refusal.Invalidf("%v", page.ErrLimit)
	}
	if errors.Is(err, page.ErrToken) {
		return refusal.Invalidf("%v", page.ErrToken)
	}
	return err
}

// postPage hands a page of post ids on; nil is a list that the viewer may not see.
func postPage(p *page.Page[social.PostID], err error) (*graph.PostPage, error) {
	if p == nil || err != nil {
		return nil, listError(err)
	}
	return &graph.PostPage{PostIDs: p.Items, NextToken: p.Token()}, nil
}

// userPage shows a page of users to the viewer; nil is a list that they may not see.
func (r *Resolver) userPage(ctx context.Context, p *page.Page[social.UserID], err error) (*graph.PaginatedUsers, error) {
	if p == nil || err != nil {
		return nil, listError(err)
	}
	users, err := r.Users.Listed(ctx, viewer.From(ctx), p.Items, asked(ctx))
	if err != nil {
		return nil, err
	}
	return &graph.PaginatedUsers{Items: users, NextToken: p.Token()}, nil
}

// commentPage hands a page of comments on; nil is a list that the viewer may not see.
func commentPage(p *page.Page[*social.SeenComment], err error) (*graph.PaginatedComments, error) {
	if p == nil || err != nil {
		return nil, listError(err)
	}
	return &graph.PaginatedComments{Items: p.Items, NextToken: p.Token()}, nil
}
