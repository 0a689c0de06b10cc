package keyspec

// Counter declares a number attribute of one item that says how many items of
// another row there are. Transactions shift it, and a repair counts, by the same
// declaration.
type Counter[T any] struct {
	// Attribute is the counter, an attribute of the item that Owner names for v.
	Attribute string
	Owner     func(v *T) Key
	// Counts reports whether v is counted. Nil counts all.
	Counts func(v *T) bool
}

// Counters are counters of the same row.
type Counters[T any] []Counter[T]

// Moved shifts the counters for an item that goes from before to after; nil is an
// item that is not there. See Update.Shift for what cannot be counted.
func (cs Counters[T]) Moved(tx *Tx, before, after *T) {
	for _, c := range cs {
		c.shift(tx, before, -1)
		c.shift(tx, after, +1)
	}
}

func (c Counter[T]) shift(tx *Tx, v *T, by int) {
	if v == nil || c.Counts != nil && !c.Counts(v) {
		return
	}
	owner := c.Owner(v)
	Update{tx.on(update, owner)}.Shift(c.Attribute, by)
}
