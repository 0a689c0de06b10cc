package keyspec

import "unsafe"

// Counter declares a number attribute of an item that counts the items of another row.
// Transactions update it and Verify recounts it by the same declaration.
type Counter[T any] struct {
	// Attribute is the counter, an attribute of the item returned by Owner.
	Attribute string
	Owner     func(v *T) Key
	// Counts reports whether v is counted. Nil means that all are.
	Counts func(v *T) bool
}

// Counters are counters of the same row.
type Counters[T any] []Counter[T]

// Counted are counters that have been declared.
type Counted[T any] struct{ counters Counters[T] }

// Count declares counters of the items of e.
func Count[T any](e *Entity[T], counters Counters[T]) Counted[T] {
	for _, c := range counters {
		e.counters = append(e.counters, counter{
			attribute: c.Attribute,
			owner:     func(p unsafe.Pointer) Key { return c.Owner((*T)(p)) },
			counts:    func(p unsafe.Pointer) bool { return c.counts((*T)(p)) },
		})
	}
	return Counted[T]{counters}
}

// counter is an untyped Counter.
type counter struct {
	attribute string
	owner     func(p unsafe.Pointer) Key
	counts    func(p unsafe.Pointer) bool
}

// Moved updates the counters for an item that changes from before to after; nil means that
// the item does not exist. See Update.Shift for shifts that cannot be applied.
func (cs Counted[T]) Moved(tx *Tx, before, after *T) {
	for _, c := range cs.counters {
		c.shift(tx, before, -1)
		c.shift(tx, after, +1)
	}
}

func (c Counter[T]) counts(v *T) bool { return c.Counts == nil || c.Counts(v) }

func (c Counter[T]) shift(tx *Tx, v *T, by int) {
	if v == nil || !c.counts(v) {
		return
	}
	owner := c.Owner(v)
	Update{tx.on(update, owner)}.Shift(c.Attribute, by)
}
