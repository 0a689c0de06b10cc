package search

import (
	"context"
	"slices"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/together"
)

// Window is the number of rows read for each word of a query in each field. If more
// documents have a word, only the first ones in sort order are found; a document is
// nevertheless ranked by all its words.
const Window = 500

// Finder searches the documents of one index in one database. It is safe for concurrent
// use.
type Finder struct {
	*Index
	db    *keyspec.DB
	state state
}

// Open returns a Finder.
func (ix *Index) Open(db *keyspec.DB) *Finder { return &Finder{Index: ix, db: db} }

// Query selects a part of the matching documents.
type Query struct {
	// Text holds the words to find. A document matches if it has at least one of them, or a
	// word that begins with the last one.
	Text string
	// Offset is the number of best matches to skip.
	Offset int
	Limit  int
}

// Hits are the ids of matching documents, best match first.
type Hits struct {
	IDs []string
	// More reports whether there are further matches.
	More bool
}

// Find returns matching documents. It fails with an *IncompleteError while the index is
// incomplete.
func (f *Finder) Find(ctx context.Context, q Query) (Hits, error) {
	if err := f.demandComplete(ctx); err != nil {
		return Hits{}, err
	}
	p := patternOf(q.Text)
	if len(p.words) == 0 || q.Limit < 1 {
		return Hits{}, nil
	}
	ranges := f.ranges(p)
	found := make([][]wordItem, len(ranges))
	err := together.Each(ctx, len(ranges), len(ranges), func(ctx context.Context, i int) (err error) {
		found[i], _, err = ranges[i].Page(ctx, f.db, keyspec.Page{Limit: Window})
		return err
	})
	if err != nil {
		return Hits{}, err
	}
	return page(f.rank(p, found), q), nil
}

// ranges returns the ranges of rows to read for a query.
func (f *Finder) ranges(p pattern) []keyspec.Range[wordItem] {
	var ranges []keyspec.Range[wordItem]
	for _, field := range f.kind.Fields {
		for _, word := range p.words {
			ranges = append(ranges, f.having(field, word))
		}
		ranges = append(ranges, f.beginning(field, p.last()))
		if field.Pairs && len(p.words) > 1 {
			ranges = append(ranges, f.beginning(field, p.words[len(p.words)-2]+" "+p.last()))
		}
	}
	return ranges
}

// having returns the range of rows of a word.
func (f *Finder) having(field Field, word string) keyspec.Range[wordItem] {
	return f.words.Begins(keyspec.Primary, f.kind.Name, field.Name, initial(word), cut(word, maxWord))
}

// beginning returns the range of rows of words with a prefix.
func (f *Finder) beginning(field Field, prefix string) keyspec.Range[wordItem] {
	low := cut(prefix, maxWord)
	return f.words.Begins(keyspec.Primary, f.kind.Name, field.Name, initial(prefix)).From(low).To(low + lastText)
}

// lastText sorts after all texts that can follow a prefix.
const lastText = "\U0010FFFF"

// rank returns the documents of rows, best match first. Rows of long words that have only
// their key's part in common do not match.
func (f *Finder) rank(p pattern, found [][]wordItem) []hit {
	known := map[string]bool{}
	var hits []hit
	for _, rows := range found {
		for i := range rows {
			row := &rows[i]
			if known[row.ID] {
				continue
			}
			known[row.ID] = true
			if h := p.match(row.ID, row.Words, f.kind.Fields); h.score > 0 {
				hits = append(hits, h)
			}
		}
	}
	slices.SortFunc(hits, hit.compare)
	return hits
}

func page(hits []hit, q Query) Hits {
	from := min(max(q.Offset, 0), len(hits))
	to := from + min(q.Limit, len(hits)-from)
	ids := slice.Map(hits[from:to], func(h hit) string { return h.id })
	return Hits{IDs: ids, More: to < len(hits)}
}
