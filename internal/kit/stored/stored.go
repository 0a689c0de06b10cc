// Package stored converts results of keyspec to those of a store: pages of nouns, and
// refusals.
package stored

import (
	"context"
	"errors"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// Outcome converts failed conditions to refusal.Conflict, upon which the decision is
// repeated.
func Outcome(err error) error {
	if IsConflict(err) {
		return refusal.ErrChanged
	}
	return err
}

// Concurrent is Outcome for systems whose clients know such a refusal as CONCURRENT_UPDATE,
// should it ever be returned.
func Concurrent(err error) error {
	if IsConflict(err) {
		return refusal.ErrConcurrent
	}
	return err
}

// IsConflict reports whether conditions of a transaction failed.
func IsConflict(err error) bool {
	var conflict *keyspec.Conflict
	return errors.As(err, &conflict)
}

// ListError converts the error for a cursor of another list to the refusal of its token.
func ListError(err error) error {
	if errors.Is(err, keyspec.ErrCursor) {
		return page.ErrToken
	}
	return err
}

// List reads a page of a range and converts each item to a noun.
func List[I, N any](ctx context.Context, db *keyspec.DB, r keyspec.Range[I], q page.Query, descending bool, noun func(*I) N) (page.Page[N], error) {
	items, next, err := r.Page(ctx, db, keyspec.Page{Limit: q.First, After: q.After, Descending: descending})
	if err != nil {
		return page.Page[N]{}, ListError(err)
	}
	p := page.Page[N]{Items: make([]N, len(items)), Next: next}
	for i := range items {
		p.Items[i] = noun(&items[i])
	}
	return p, nil
}

// Fetch requests the items of some ids from a batch.
func Fetch[I, K any](b *keyspec.Batch, e *keyspec.Entity[I], ids []K, key func(K) keyspec.Key) keyspec.Fetched[I] {
	return e.FetchEach(b, len(ids), func(i int) keyspec.Key { return key(ids[i]) })
}

// Found returns the existing items of a batch as nouns, by id.
func Found[I any, K comparable, N any](f keyspec.Fetched[I], ids []K, noun func(*I) N) map[K]N {
	m := make(map[K]N, len(ids))
	for i, id := range ids {
		if item := f.At(i); item != nil {
			m[id] = noun(item)
		}
	}
	return m
}

// Same returns an item that is a noun itself.
func Same[T any](item *T) *T { return item }

// Value returns a copy of an item that is a noun itself.
func Value[T any](item *T) T { return *item }
