package search

import (
	"cmp"
	"context"
	"slices"

	"stoa/internal/kit/page"
	"stoa/systems/archive"
)

// source is a post to be searched, or some of its records.
type source struct {
	post       *archive.Post
	collection *archive.Collection
	// records are the records to be searched, sorted; nil means all.
	records []archive.ID
}

// sources returns the posts to be searched after a position, in the order of their ids.
func (s *Service) sources(ctx context.Context, u *archive.User, q archive.RecordSearch, after position) ([]source, error) {
	posts, records, err := s.candidates(ctx, q)
	if err != nil {
		return nil, err
	}
	var w archive.Wanted
	for _, p := range posts {
		w.Collections = append(w.Collections, p.CollectionID)
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, p := range posts {
		c := facts.Collections[p.CollectionID]
		if p.ID < after.post || c == nil || !q.Covers(p, c) || !p.VisibleTo(u.Level) || c.PrivateSearch() && !u.Level.AtLeast(archive.Reader) {
			continue
		}
		sources = append(sources, source{p, c, records[p.ID]})
	}
	slices.SortFunc(sources, func(a, b source) int { return cmp.Compare(a.post.ID, b.post.ID) })
	return sources, nil
}

// candidates returns the posts of the narrowest scope, and the records to be searched if
// that consists of households.
func (s *Service) candidates(ctx context.Context, q archive.RecordSearch) ([]*archive.Post, map[archive.ID][]archive.ID, error) {
	switch {
	case q.PostID != nil:
		return s.inPost(ctx, q)
	case q.Household != nil:
		return s.inHouseholds(ctx, *q.Household)
	case q.CollectionID != nil:
		posts, err := all(ctx, *q.CollectionID, s.Posts.OfCollection)
		return posts, nil, err
	}
	collections, err := all(ctx, *q.CategoryID, s.Categories.CollectionIDs)
	if err != nil {
		return nil, nil, err
	}
	var posts []*archive.Post
	for _, id := range collections {
		some, err := all(ctx, id, s.Posts.OfCollection)
		if err != nil {
			return nil, nil, err
		}
		posts = append(posts, some...)
	}
	return posts, nil, nil
}

func (s *Service) inPost(ctx context.Context, q archive.RecordSearch) ([]*archive.Post, map[archive.ID][]archive.ID, error) {
	w := archive.Wanted{Posts: []archive.ID{*q.PostID}}
	if q.Household != nil {
		w.Households = []archive.HouseholdRef{{PostID: *q.PostID, Number: *q.Household}}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	p := facts.Posts[*q.PostID]
	switch {
	case p == nil:
		return nil, nil, archive.ErrNoPost
	case q.Household == nil:
		return []*archive.Post{p}, nil, nil
	}
	h := facts.Households[w.Households[0]]
	if h == nil {
		return nil, nil, nil
	}
	return []*archive.Post{p}, map[archive.ID][]archive.ID{p.ID: sorted(h.RecordIDs)}, nil
}

func (s *Service) inHouseholds(ctx context.Context, number string) ([]*archive.Post, map[archive.ID][]archive.ID, error) {
	households, err := all(ctx, number, s.Store.HouseholdsNumbered)
	if err != nil {
		return nil, nil, err
	}
	records := map[archive.ID][]archive.ID{}
	var ids []archive.ID
	for _, h := range households {
		records[h.PostID] = sorted(h.RecordIDs)
		ids = append(ids, h.PostID)
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: ids})
	if err != nil {
		return nil, nil, err
	}
	return archive.Ordered(ids, facts.Posts), records, nil
}

func sorted(ids []archive.ID) []archive.ID { return slices.Sorted(slices.Values(ids)) }

// all reads all pages of a list.
func all[K, T any](ctx context.Context, of K, read func(context.Context, K, page.Query) (page.Page[T], error)) (items []T, err error) {
	for q := (page.Query{First: page.Max}); ; {
		p, err := read(ctx, of, q)
		if err != nil {
			return nil, err
		}
		items = append(items, p.Items...)
		if p.Next == "" {
			return items, nil
		}
		q.After = p.Next
	}
}
