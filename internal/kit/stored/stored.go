// Package stored turns what keyspec answers into what areas ask of a store: pages of
// nouns, and refusals.
package stored

import (
	"context"
	"errors"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Outcome turns conditions that did not hold into the refusal.Conflict on which whoever
// decided decides again.
func Outcome(err error) error {
	var conflict *keyspec.Conflict
	if errors.As(err, &conflict) {
		return refusal.Conflictf("Somebody else changed this at the same time: try again")
	}
	return err
}

// List reads a page of a range and makes a noun of each item.
func List[I, N any](ctx context.Context, db *keyspec.DB, r keyspec.Range[I], q page.Query, descending bool, noun func(*I) N) (page.Page[N], error) {
	items, next, err := r.Page(ctx, db, keyspec.Page{Limit: q.First, After: q.After, Descending: descending})
	if errors.Is(err, keyspec.ErrCursor) {
		return page.Page[N]{}, page.ErrToken
	}
	if err != nil {
		return page.Page[N]{}, err
	}
	p := page.Page[N]{Items: make([]N, len(items)), Next: next}
	for i := range items {
		p.Items[i] = noun(&items[i])
	}
	return p, nil
}
