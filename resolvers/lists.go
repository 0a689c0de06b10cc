package resolvers

import (
	"context"

	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// shown converts a page to its type in the schema. A nil page is a list that the viewer may
// not see.
func shown[P ~struct{ page.Page[T] }, T any](p *page.Page[T], err error) (*P, error) {
	if err != nil {
		return nil, err
	}
	return page.As[P](p), nil
}

// shownPosts returns a page of posts, given by their ids.
func shownPosts(p *page.Page[social.PostID], err error) (*graph.PaginatedPosts, error) {
	if p == nil || err != nil {
		return nil, err
	}
	return &graph.PaginatedPosts{Page: *p}, nil
}

// shownUsers returns a page of users, given by their ids, as the viewer sees it.
func (r *Resolver) shownUsers(ctx context.Context, p *page.Page[social.UserID], err error) (*graph.PaginatedUsers, error) {
	if p == nil || err != nil {
		return nil, err
	}
	entries := page.Map(*p, entry)
	return r.shownEntries(ctx, &entries, nil)
}

// entry returns a list entry for a user with any profile.
func entry(id social.UserID) social.Entry { return social.Entry{UserID: id} }

// shownEntries returns a page of users as the viewer sees it.
func (r *Resolver) shownEntries(ctx context.Context, p *page.Page[social.Entry], err error) (*graph.PaginatedUsers, error) {
	if p == nil || err != nil {
		return nil, err
	}
	users, err := r.Users.Listed(ctx, viewer.From(ctx), p.Items, asked(ctx))
	return shown[graph.PaginatedUsers](&page.Page[*social.SeenUser]{Items: users, Next: p.Next}, err)
}

// idsOf converts ids given by clients.
func idsOf[ID ~string](given []string) []ID {
	ids := slice.Map(given, func(id string) ID { return ID(id) })
	return ids
}

// succeeded is the result of a mutation without data: true unless it failed.
func succeeded(err error) (*bool, error) {
	if err != nil {
		return nil, err
	}
	return new(true), nil
}
