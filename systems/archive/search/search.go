// Package search finds records within posts, households, collections and categories.
//
// Records are not indexed by their content: those of the posts in the scope are read one
// after the other, some thousands per page, and compared. What a page reads is limited,
// whatever the scope, so that a page may be short, or empty, with others after it.
package search

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store reads the searched things.
type Store interface {
	archive.FactReader
	// From returns at most n records of a post, starting at an id.
	From(ctx context.Context, post, id archive.ID, n int) ([]*archive.Record, error)
	// HouseholdsFrom returns at most n households with a number, ordered by post, starting
	// at a post, and whether there are more.
	HouseholdsFrom(ctx context.Context, number string, post archive.ID, n int) (all []*archive.Household, more bool, err error)
}

// Places standardizes names of places.
type Places interface {
	Standard(ctx context.Context, text, within string) (*archive.StandardPlace, error)
}

// Service implements the search area. Its fields are set once.
type Service struct {
	Store      Store
	Posts      archive.PostLister
	Categories archive.CollectionLister
	Places     Places
	Gate       archive.Gate
}

// Find returns the matching records, ordered by post and id. A page reads at most some
// thousands of records, and may be short.
func (s *Service) Find(ctx context.Context, v viewer.Viewer, q archive.RecordSearch, args page.Args) (page.Page[*archive.RecordHit], error) {
	var none page.Page[*archive.RecordHit]
	u, err := s.Gate.Admit(ctx, v, archive.Guest)
	if err != nil {
		return none, err
	}
	l, err := page.ListOf(args, "archive.searchRecords", v.UserID, q.Arguments()...)
	if err != nil {
		return none, err
	}
	if err := q.Check(); err != nil {
		return none, err
	}
	start, err := parsePosition(l.Query.After)
	if err != nil {
		return none, err
	}
	wanted, possible, err := s.place(ctx, q)
	if err != nil || !possible {
		return page.Page[*archive.RecordHit]{Items: []*archive.RecordHit{}}, err
	}
	f := &finder{
		Service: s, query: q.Query(wanted), user: u, limit: l.Query.First, budget: archive.MaxSearched, posts: archive.MaxSearchedPosts,
		hits: []*archive.RecordHit{},
	}
	b, err := s.block(ctx, q, start)
	if err != nil {
		return none, err
	}
	sources, err := f.sources(ctx, q, b, start)
	if err != nil {
		return none, err
	}
	next := b.next
	for _, source := range sources {
		full, err := f.look(ctx, source, start)
		if err != nil {
			return none, err
		}
		if full {
			next = &position{f.post, f.record, start.block}
			break
		}
	}
	return page.Seal(l, page.Page[*archive.RecordHit]{Items: f.hits, Next: next.text()}, nil)
}

// place returns the full name of the requested place, empty for any. possible is false if
// the text does not stand for a place exactly, so that nothing matches.
func (s *Service) place(ctx context.Context, q archive.RecordSearch) (name string, possible bool, err error) {
	if q.Place == nil {
		return "", true, nil
	}
	p, err := s.Places.Standard(ctx, *q.Place, "")
	if err != nil || p == nil || !p.Exact {
		return "", false, err
	}
	return p.FullName, true, nil
}
