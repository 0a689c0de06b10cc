package keyspec

import (
	"fmt"
	"slices"
)

// Check compares the rows of the table: no two may produce the same key, and if a prefix
// query for the items of one row would also find those of another, the row must acknowledge
// this in Overlaps. Rows that have passed are not compared again.
func (t *Table) Check() error {
	if t.checked.Load() == int64(len(t.rows)) {
		return nil
	}
	for i, a := range t.rows {
		for j, b := range t.rows {
			if i < j && collide(a.primary.pk, b.primary.pk) && collide(a.primary.sk, b.primary.sk) {
				return fmt.Errorf("keyspec: table %s: rows %s and %s can produce the same key", t.Name, a, b)
			}
			if i == j {
				continue
			}
			if err := a.checkOverlaps(b); err != nil {
				return fmt.Errorf("keyspec: table %s: %w", t.Name, err)
			}
		}
	}
	t.checked.Store(int64(len(t.rows)))
	return nil
}

// checkOverlaps returns an error if a prefix query on a would find items of b, unless a
// acknowledges it.
func (a *row) checkOverlaps(b *row) error {
	for _, k := range a.keys {
		other := b.on(k.index)
		if k.meets(other) && !slices.Contains(a.spec.Overlaps, other.sk.text) {
			return fmt.Errorf("a query for row %s by prefix on %s also meets row %s: add %q to its Overlaps and list it by another index",
				a, k.index.Name, b, other.sk.text)
		}
	}
	return nil
}

// meets reports whether a query for all of k can find keys of other, which is nil or in the
// same index.
func (k *keys) meets(other *keys) bool {
	return other != nil && collide(k.pk, other.pk) && (k.numeric() || prefixFinds(k.sk, other.sk))
}

// overlapsOn reports whether another row's items can be among those of r.
func (r *row) overlapsOn(k *keys) bool {
	return slices.ContainsFunc(r.table.rows, func(other *row) bool { return other != r && k.meets(other.on(k.index)) })
}
