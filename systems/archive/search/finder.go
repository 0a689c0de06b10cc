package search

import (
	"context"
	"slices"

	"stoa/systems/archive"
)

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

// chunk is the number of records read at a time.
const chunk = 500

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
