// Package search finds records within posts, households, collections and categories.
//
// Records are not indexed by their content: those of the posts in the scope are read one
// after the other, some thousands per page, and compared.
package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

// finder fills a page.
type finder struct {
	*Service
	query  archive.Query
	user   *archive.User
	limit  int
	budget int
	hits   []*archive.RecordHit
	// at is the last record examined.
	at position
}

// chunk is the number of records read at a time.
const chunk = 500

// look compares the records of a source after a position. full is true if the page is full,
// or has read enough, before their end.
func (f *finder) look(ctx context.Context, from source, after position) (full bool, err error) {
	next := archive.ID(1)
	if after.post == from.post.ID {
		next = after.record + 1
	}
	for {
		if f.budget == 0 || len(f.hits) == f.limit {
			return true, nil
		}
		// Reading one more than the budget shows whether the page is the last.
		n := min(chunk, f.budget)
		rows, err := f.read(ctx, from, next, n)
		if err != nil {
			return false, err
		}
		for i, r := range rows {
			f.budget--
			f.at = position{from.post.ID, r.ID}
			f.match(r, from)
			if len(f.hits) == f.limit {
				return f.more(ctx, from, r.ID, i+1 < len(rows))
			}
		}
		if len(rows) < n {
			return false, nil
		}
		next = rows[len(rows)-1].ID + 1
	}
}

// more reports whether a source has records after id. If it does not, the following sources
// are checked as if the page were full.
func (f *finder) more(ctx context.Context, from source, id archive.ID, known bool) (bool, error) {
	if known {
		return true, nil
	}
	rows, err := f.read(ctx, from, id+1, 1)
	return len(rows) > 0, err
}

// read returns at most n records of a source, starting at an id.
func (f *finder) read(ctx context.Context, from source, id archive.ID, n int) ([]*archive.Record, error) {
	if from.records == nil {
		return f.Store.From(ctx, from.post.ID, id, n)
	}
	at, _ := slices.BinarySearch(from.records, id)
	var refs []archive.RecordRef
	for _, id := range from.records[at:min(at+n, len(from.records))] {
		refs = append(refs, archive.RecordRef{PostID: from.post.ID, ID: id})
	}
	facts, err := f.Store.Facts(ctx, archive.Wanted{Records: refs})
	if err != nil {
		return nil, err
	}
	return archive.Ordered(refs, facts.Records), nil
}

// match adds a matching record to the page, as the user may see it.
func (f *finder) match(r *archive.Record, from source) {
	matched, ok := f.query.Match(r.Data, from.collection.Hidden(f.user.Level))
	if !ok {
		return
	}
	seen := r.SeenBy(f.user.Level, from.post, from.collection)
	if matched == nil || seen.Restricted() {
		matched = []string{}
	}
	f.hits = append(f.hits, &archive.RecordHit{Record: seen, Collection: from.collection, Matched: matched})
}
