package search

import (
	"context"
	"slices"

	"stoa/internal/kit/slice"
	"stoa/systems/archive"
)

// finder fills a page.
type finder struct {
	*Service
	query archive.Query
	user  *archive.User
	limit int
	// budget and posts are the numbers of records and of posts that the page may still read.
	budget, posts int
	hits          []*archive.RecordHit
	// post and record are the last ones examined.
	post, record archive.ID
}

// look compares the records of a source after a position. full is true if the page is full,
// or has read enough, before their end.
func (f *finder) look(ctx context.Context, from source, start position) (full bool, err error) {
	if f.posts == 0 {
		return true, nil
	}
	f.posts--
	next := archive.ID(1)
	if start.post == from.post.ID {
		next = start.record + 1
	}
	for next != 0 {
		if f.budget == 0 || len(f.hits) == f.limit {
			return true, nil
		}
		rows, rest, err := f.read(ctx, from, next, min(chunk, f.budget))
		if err != nil {
			return false, err
		}
		for i, r := range rows {
			f.budget--
			f.post, f.record = from.post.ID, r.ID
			f.match(r, from)
			if len(f.hits) == f.limit {
				return f.more(ctx, from, rest, i+1 < len(rows))
			}
		}
		next = rest
	}
	f.post, f.record = from.post.ID, archive.MaxID
	return false, nil
}

// chunk is the number of records read at a time.
const chunk = 500

// match adds a matching record to the page, as the user may see it.
func (f *finder) match(r *archive.Record, from source) {
	matched, ok := f.query.Match(r.Data, from.collection.Hidden(f.user.Level))
	if !ok {
		return
	}
	if matched == nil {
		matched = []string{}
	}
	f.hits = append(f.hits, &archive.RecordHit{Record: r.SeenBy(f.user.Level, from.post, from.collection), Collection: from.collection, Matched: matched})
}

// more reports whether a source has records after those read. If it does not, the following
// sources are checked as if the page were full.
func (f *finder) more(ctx context.Context, from source, rest archive.ID, known bool) (bool, error) {
	if known || rest == 0 || from.records != nil {
		return known || rest != 0, nil
	}
	rows, _, err := f.read(ctx, from, rest, 1)
	return len(rows) > 0, err
}

// read returns at most n records of a source, starting at an id, and the id at which the
// remaining ones start; 0 if there are none.
func (f *finder) read(ctx context.Context, from source, id archive.ID, n int) (rows []*archive.Record, rest archive.ID, err error) {
	if from.records == nil {
		rows, err = f.Store.From(ctx, from.post.ID, id, n)
		if len(rows) == n {
			rest = rows[n-1].ID + 1
		}
		return rows, rest, err
	}
	at, _ := slices.BinarySearch(from.records, id)
	ids := from.records[at:]
	if len(ids) > n {
		ids, rest = ids[:n], ids[n]
	}
	refs := slice.Map(ids, func(id archive.ID) archive.RecordRef { return archive.RecordRef{PostID: from.post.ID, ID: id} })
	facts, err := f.Store.Facts(ctx, archive.Wanted{Records: refs})
	if err != nil {
		return nil, 0, err
	}
	return archive.Ordered(refs, facts.Records), rest, nil
}
