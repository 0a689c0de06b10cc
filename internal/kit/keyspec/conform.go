package keyspec

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Conform verifies on a real database that every row of the table behaves as declared: a
// sample is put, read, found through each index, changed in all attributes except its key,
// found only by its new index keys, and deleted. It returns all failures as an error. Use
// it only on empty tables, because the samples' keys might be in use.
func (t *Table) Conform(ctx context.Context, db *DB) error {
	var errs []error
	for _, r := range t.rows {
		if err := r.conform(ctx, db); err != nil {
			errs = append(errs, fmt.Errorf("table %s, row %s: %w", t.Name, r, err))
		}
	}
	return errors.Join(errs...)
}

func (r *row) conform(ctx context.Context, db *DB) error {
	before, after := r.sample(1), r.sample(2)
	for _, s := range slices.Concat(r.primary.pkSlots, r.primary.skSlots) {
		s.field.reflect(after).Set(s.field.reflect(before))
	}
	tx := db.NewTx()
	put := r.put(tx, before).Absent()
	if r.spec.Legacy {
		if err := tx.Run(ctx); !errors.Is(err, errLegacy) {
			return fmt.Errorf("a legacy row is put: %v", err)
		}
		return nil
	}
	if err := tx.Run(ctx); err != nil {
		return fmt.Errorf("put: %w", err)
	}
	if err := r.stands(ctx, db, before, true); err != nil {
		return fmt.Errorf("after the put: %w", err)
	}
	tx = db.NewTx()
	put = r.put(tx, before).Absent()
	if err := tx.Run(ctx); !Refused(err, put) {
		return fmt.Errorf("a second put is not refused: %v", err)
	}

	tx = db.NewTx()
	r.change(tx, before, after)
	if err := tx.Run(ctx); err != nil {
		return fmt.Errorf("change: %w", err)
	}
	if err := r.stands(ctx, db, after, true); err != nil {
		return fmt.Errorf("after the change: %w", err)
	}
	if err := r.isGone(ctx, db, before, after); err != nil {
		return fmt.Errorf("after the change: %w", err)
	}

	tx = db.NewTx()
	tx.on(remove, r.keyAt(after))
	if err := tx.Run(ctx); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if err := r.stands(ctx, db, after, false); err != nil {
		return fmt.Errorf("after the deletion: %w", err)
	}
	return nil
}

// stands checks that an item can be read by its key and through all indexes, or through
// none.
func (r *row) stands(ctx context.Context, db *DB, p unsafe.Pointer, want bool) error {
	got := reflect.New(r.codec.typ)
	found, err := db.get(ctx, r.keyAt(p), got.UnsafePointer())
	switch {
	case err != nil:
		return err
	case found != want:
		return fmt.Errorf("found by its key: %v, expected %v", found, want)
	case found && !reflect.DeepEqual(got.Interface(), reflect.NewAt(r.codec.typ, p).Interface()):
		return fmt.Errorf("read %+v, expected %+v", got.Elem(), reflect.NewAt(r.codec.typ, p).Elem())
	}
	for _, k := range r.keys {
		found, err := r.isIn(ctx, db, k, p)
		if err != nil {
			return fmt.Errorf("%s: %w", k.index.Name, err)
		}
		if found != want {
			return fmt.Errorf("found through %s: %v, expected %v", k.index.Name, found, want)
		}
	}
	return nil
}

// isGone checks that an item is no longer found by the index keys of its old state that
// have changed.
func (r *row) isGone(ctx context.Context, db *DB, before, after unsafe.Pointer) error {
	for _, k := range r.keys[1:] {
		oldPK, oldSK, _, _ := k.of(before)
		pk, sk, _, _ := k.of(after)
		if oldPK == pk && oldSK == sk {
			continue
		}
		if found, err := r.isIn(ctx, db, k, before); found || err != nil {
			return fmt.Errorf("found through %s where it was before: %v, %w", k.index.Name, found, err)
		}
	}
	return nil
}

// isIn reports whether the item with the primary key of that at p is in the index under the
// expected key. If the row overlaps another, there is no list to search.
func (r *row) isIn(ctx context.Context, db *DB, k *keys, p unsafe.Pointer) (bool, error) {
	if k.overlaps() {
		_, _, present, err := k.of(p)
		if err != nil || !present {
			return false, err
		}
		return db.get(ctx, r.keyAt(p), reflect.New(r.codec.typ).UnsafePointer())
	}
	var slots []string
	for _, s := range k.pkSlots {
		slots = append(slots, s.of(p))
	}
	b := r.begins(k.index, slots)
	_, b.low, _, _ = k.of(p)
	b.high = b.low
	if k.sk.isLiteral() {
		b.low, b.high = "", ""
	}
	var found []reflect.Value
	_, err := b.page(ctx, db, Page{Limit: 10}, func() unsafe.Pointer {
		v := reflect.New(r.codec.typ)
		found = append(found, v)
		return v.UnsafePointer()
	})
	return slices.ContainsFunc(found, func(v reflect.Value) bool {
		return r.keyAt(v.UnsafePointer()).address() == r.keyAt(p).address()
	}), err
}
