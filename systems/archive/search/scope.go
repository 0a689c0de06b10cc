package search

import (
	"cmp"
	"context"
	"slices"

	"stoa/internal/kit/page"
	"stoa/systems/archive"
)

// Limits of a block: posts after which it ends, reads after which it ends, and households.
const (
	blockPosts      = 1_000
	blockReads      = 100
	blockHouseholds = archive.MaxSearchedPosts
)

// block contains posts of the scope. Each page searches a single one, which most scopes fit
// into, because posts are ordered by id, and are not listed in this order. A scope with more
// posts is ordered within each block.
type block struct {
	posts []*archive.Post
	// records are the records to be searched by post; nil means all.
	records map[archive.ID][]archive.ID
	// next is the beginning of the next block; nil if there is none.
	next *position
}

// source is a post to be searched, or some of its records.
type source struct {
	post       *archive.Post
	collection *archive.Collection
	// records are the records to be searched, sorted; nil means all.
	records []archive.ID
}

// sources returns the posts of a block to be searched after a position, in the order of
// their ids.
func (f *finder) sources(ctx context.Context, q archive.RecordSearch, b block, start position) ([]source, error) {
	var w archive.Wanted
	for _, p := range b.posts {
		if !slices.Contains(w.Collections, p.CollectionID) {
			w.Collections = append(w.Collections, p.CollectionID)
		}
	}
	facts, err := f.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, p := range b.posts {
		c := facts.Collections[p.CollectionID]
		if start.after(p.ID) || c == nil || !q.Covers(p, c) || !p.VisibleTo(f.user.Level) || !f.query.Within(c, f.user.Level) {
			continue
		}
		sources = append(sources, source{p, c, b.records[p.ID]})
	}
	slices.SortFunc(sources, func(a, b source) int { return cmp.Compare(a.post.ID, b.post.ID) })
	return sources, nil
}

// block returns the posts of the narrowest scope that a page searches, and their records to
// be searched if the scope consists of households.
func (s *Service) block(ctx context.Context, q archive.RecordSearch, start position) (block, error) {
	switch {
	case q.PostID != nil:
		return s.inPost(ctx, q)
	case q.Household != nil:
		return s.inHouseholds(ctx, *q.Household, start)
	case q.CollectionID != nil:
		b := block{}
		at, err := parseListing(start.block)
		if err == nil {
			reads := 0
			_, err = s.inCollection(ctx, *q.CollectionID, &at, &b, &reads)
		}
		return b, err
	}
	return s.inCategory(ctx, *q.CategoryID, start)
}

func (s *Service) inPost(ctx context.Context, q archive.RecordSearch) (block, error) {
	w := archive.Wanted{Posts: []archive.ID{*q.PostID}}
	if q.Household != nil {
		w.Households = []archive.HouseholdRef{{PostID: *q.PostID, Number: *q.Household}}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return block{}, err
	}
	p := facts.Posts[*q.PostID]
	switch {
	case p == nil:
		return block{}, archive.ErrNoPost
	case q.Household == nil:
		return block{posts: []*archive.Post{p}}, nil
	}
	h := facts.Households[w.Households[0]]
	if h == nil {
		return block{}, nil
	}
	return block{posts: []*archive.Post{p}, records: map[archive.ID][]archive.ID{p.ID: sorted(h.RecordIDs)}}, nil
}

// inHouseholds returns the posts of the next households, which are listed by post.
func (s *Service) inHouseholds(ctx context.Context, number string, start position) (block, error) {
	households, more, err := s.Store.HouseholdsFrom(ctx, number, start.post, blockHouseholds)
	if err != nil {
		return block{}, err
	}
	b := block{records: map[archive.ID][]archive.ID{}}
	var ids []archive.ID
	for _, h := range households {
		b.records[h.PostID] = sorted(h.RecordIDs)
		ids = append(ids, h.PostID)
	}
	if more {
		b.next = &position{post: ids[len(ids)-1], record: archive.MaxID}
	}
	facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: ids})
	if err != nil {
		return block{}, err
	}
	b.posts = archive.Ordered(ids, facts.Posts)
	return b, nil
}

func sorted(ids []archive.ID) []archive.ID { return slices.Sorted(slices.Values(ids)) }

// inCategory adds the posts of the next collections.
func (s *Service) inCategory(ctx context.Context, category archive.ID, start position) (b block, err error) {
	at, err := parseListing(start.block)
	if err != nil {
		return b, err
	}
	for reads := 1; ; reads++ {
		p, err := s.Categories.CollectionIDs(ctx, category, page.Query{First: page.Max, After: at.collections})
		if err != nil {
			return b, page.Refused(err)
		}
		for _, id := range p.Items {
			if id < at.collection {
				continue // done
			}
			if id > at.collection {
				at.collection, at.posts = id, ""
			}
			if full, err := s.inCollection(ctx, id, &at, &b, &reads); full || err != nil {
				return b, err
			}
			at.collection, at.posts = id+1, ""
		}
		if p.Next == "" {
			return b, nil
		}
		at.collections = p.Next
	}
}

// inCollection adds the next posts of a collection to a block, and advances at. full is true
// if the block ends before them.
func (s *Service) inCollection(ctx context.Context, id archive.ID, at *listing, b *block, reads *int) (full bool, err error) {
	for {
		if len(b.posts) >= blockPosts || *reads >= blockReads {
			b.next = &position{block: at.text()}
			return true, nil
		}
		p, err := s.Posts.OfCollection(ctx, id, page.Query{First: page.Max, After: at.posts})
		if err != nil {
			return false, page.Refused(err)
		}
		*reads++
		b.posts = append(b.posts, p.Items...)
		if at.posts = p.Next; p.Next == "" {
			return false, nil
		}
	}
}
