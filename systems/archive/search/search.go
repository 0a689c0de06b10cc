// Package search finds records within posts, households, collections and categories.
//
// Records are not indexed by their content: those of the posts in the scope are read one
// after the other, some thousands per page, and compared.
package search

import (
	"context"
	"fmt"

	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// Store reads the searched things.
type Store interface {
	archive.FactReader
	archive.HouseholdFinder
	// From returns at most n records of a post, starting at an id.
	From(ctx context.Context, post, id archive.ID, n int) ([]*archive.Record, error)
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

// position is the record after which a page starts.
type position struct{ post, record archive.ID }

// Find returns the matching records, ordered by post and id. A page reads at most some
// thousands of records, and may be short.
func (s *Service) Find(ctx context.Context, v viewer.Viewer, q archive.RecordSearch, args page.Args) (page.Page[*archive.RecordHit], error) {
	var none page.Page[*archive.RecordHit]
	u, err := s.Gate.Admit(ctx, v, archive.Guest)
	if err != nil {
		return none, err
	}
	l, err := archive.ListOf(args, "searchRecords", v.UserID, q.Arguments()...)
	if err != nil {
		return none, err
	}
	if err := q.Check(); err != nil {
		return none, err
	}
	var after position
	if l.Query.After != "" {
		if _, err := fmt.Sscanf(l.Query.After, "%d.%d", &after.post, &after.record); err != nil {
			return none, page.Refused(page.ErrToken)
		}
	}
	wanted, possible, err := s.place(ctx, q)
	if err != nil || !possible {
		return page.Page[*archive.RecordHit]{Items: []*archive.RecordHit{}}, err
	}
	sources, err := s.sources(ctx, u, q, after)
	if err != nil {
		return none, err
	}
	f := &finder{Service: s, query: q.Query(wanted), user: u, limit: l.Query.First, budget: archive.MaxSearched, hits: []*archive.RecordHit{}}
	next := ""
	for _, source := range sources {
		full, err := f.look(ctx, source, after)
		if err != nil {
			return none, err
		}
		if full {
			next = fmt.Sprintf("%d.%d", f.at.post, f.at.record)
			break
		}
	}
	return archive.Seal(l, page.Page[*archive.RecordHit]{Items: f.hits, Next: next}, nil)
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
