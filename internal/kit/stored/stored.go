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

// A Reason returns the error for a failed transaction, or nil if it failed for another reason.
type Reason func(failed error) error

// On is the reason err, if one of some actions was refused. Actions may be nil.
func On(err error, actions ...keyspec.Action) Reason {
	return func(failed error) error {
		for _, a := range actions {
			if a != nil && keyspec.Refused(failed, a) {
				return err
			}
		}
		return nil
	}
}

// OnItem is the reason err, if an action was refused and is holds for the item that is stored.
func OnItem[T any](err error, e *keyspec.Entity[T], a keyspec.Action, is func(now *T) bool) Reason {
	return ByItem(e, a, func(now *T) error {
		if now != nil && is(now) {
			return err
		}
		return nil
	})
}

// ByItem is what why returns for the item that is stored, nil if there is none, if an action was
// refused.
func ByItem[T any](e *keyspec.Entity[T], a keyspec.Action, why func(now *T) error) Reason {
	return func(failed error) error {
		if !keyspec.Refused(failed, a) {
			return nil
		}
		now, err := e.Stored(failed, a)
		if err != nil {
			return err
		}
		return why(now)
	}
}

// Outcome converts failed conditions to the first reason that applies, or else to
// refusal.Conflict, upon which the decision is repeated.
func Outcome(err error, reasons ...Reason) error { return outcome(err, refusal.ErrChanged, reasons) }

// Concurrent is Outcome for systems whose clients know such a refusal as CONCURRENT_UPDATE,
// should it ever be returned.
func Concurrent(err error, reasons ...Reason) error {
	return outcome(err, refusal.ErrConcurrent, reasons)
}

func outcome(err, otherwise error, reasons []Reason) error {
	if !IsConflict(err) {
		return err
	}
	for _, reason := range reasons {
		if known := reason(err); known != nil {
			return known
		}
	}
	return otherwise
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

// Batch reads items of several kinds together and converts them to nouns; see Into.
type Batch struct {
	*keyspec.Batch
	found []func()
}

// NewBatch returns an empty batch.
func NewBatch(db *keyspec.DB) *Batch { return &Batch{Batch: db.NewBatch()} }

// Run reads all requested items and fills the maps. Without items it makes no call.
func (b *Batch) Run(ctx context.Context) error {
	if err := b.Batch.Run(ctx); err != nil {
		return err
	}
	for _, fill := range b.found {
		fill()
	}
	return nil
}

// Into requests the items of some ids. When the batch has run, those that exist are in m as
// nouns, by id. m may be nil and remains so without ids; several kinds may share a map.
func Into[I any, K comparable, N any](b *Batch, m *map[K]N, e *keyspec.Entity[I], ids []K, key func(K) keyspec.Key, noun func(*I) N) {
	if len(ids) == 0 {
		return
	}
	items := e.FetchEach(b.Batch, len(ids), func(i int) keyspec.Key { return key(ids[i]) })
	b.found = append(b.found, func() {
		if *m == nil {
			*m = make(map[K]N, len(ids))
		}
		for i, id := range ids {
			if item := items.At(i); item != nil {
				(*m)[id] = noun(item)
			}
		}
	})
}

// Load reads the items of some ids together and returns those that exist as nouns, by id.
func Load[I any, K comparable, N any](
	ctx context.Context, db *keyspec.DB, e *keyspec.Entity[I], ids []K, key func(K) keyspec.Key, noun func(*I) N,
) (m map[K]N, err error) {
	b := NewBatch(db)
	Into(b, &m, e, ids, key, noun)
	err = b.Run(ctx)
	return m, err
}

// ListKeys reads a page of the keys in a range, then the items that exist under them: a range
// of an index may lag behind, or contain keys alone.
func ListKeys[I, N any](ctx context.Context, db *keyspec.DB, e *keyspec.Entity[I], r keyspec.Range[I], q page.Query, noun func(*I) N) (page.Page[N], error) {
	keys, err := List(ctx, db, r, q, false, e.KeyOf)
	if err != nil {
		return page.Page[N]{}, err
	}
	b := db.NewBatch()
	items := e.Fetch(b, keys.Items...)
	if err := b.Run(ctx); err != nil {
		return page.Page[N]{}, err
	}
	p := page.Page[N]{Next: keys.Next}
	for i := range items.Len() {
		if item := items.At(i); item != nil {
			p.Items = append(p.Items, noun(item))
		}
	}
	return p, nil
}

// Same returns an item that is a noun itself.
func Same[T any](item *T) *T { return item }

// Value returns a copy of an item that is a noun itself.
func Value[T any](item *T) T { return *item }
