package engine

import (
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// change is one write to one item.
type change struct {
	action raw.Action
	table  *table
	// key is the item's key as a request gives it; puts and raw writes have none.
	key     Item
	program *expr.Program // condition and update
	// raw is what a raw write asks, which has no program; nil for requests.
	raw *rawChange
	// view is what a put stores.
	view itemcodec.View
	// oldOnFailure asks for the item when the condition does not hold.
	oldOnFailure bool
	// fault is what is wrong with the change by the table's schema. A transaction
	// names it as a reason of its cancellation, other requests fail at once.
	fault error
	// keepOld asks for the item as it was before the change.
	keepOld bool
	// unpriced says that nobody asks for the units.
	unpriced bool
	// movesEntries says that key attributes of indexes may change.
	movesEntries bool

	place  []byte // where the item is stored
	stripe int
}

// effect is what a change did.
type effect struct {
	// err is why the change was refused: its condition did not hold, or the
	// update does not fit the item as it is.
	err error
	// old is the item before the change, if it existed and was asked for; new is the
	// item after an update by a request, parts of it the request's own.
	old, new Item
	units    units
}

// newChange places a change to the item with a key, which was judged before.
func newChange(a raw.Action, t *table, key Item, p *expr.Program) (*change, error) {
	place, ok := appendKey(make([]byte, 0, 96), &t.relation, given(key))
	if !ok {
		return nil, errKeySchema()
	}
	return &change{action: a, table: t, key: key, program: p, place: place, stripe: stripeOf(place), movesEntries: true}, nil
}

// placeItem places a put of c.view and judges the keys in it. It appends the place to
// dst.
func (c *change) placeItem(dst []byte) ([]byte, error) {
	t := c.table
	c.movesEntries = true
	var room [usualColumns]itemcodec.Value
	columns := t.columns.Find(c.view, room[:0])
	if c.fault = t.checkItemKey(columns); c.fault != nil {
		c.standNowhere()
		return dst, nil
	}
	c.fault = t.checkIndexKeys(columns)
	at := len(dst)
	dst, ok := t.appendKey(dst, columns)
	if !ok {
		return dst, errKeySchema()
	}
	c.place = dst[at:len(dst):len(dst)]
	c.stripe = stripeOf(c.place)
	return dst, nil
}

// usualColumns is as many key attributes as a table and its indexes mostly have.
const usualColumns = 24

// size returns what c counts for among the items of a transaction, in bytes.
func (c *change) size() int {
	switch {
	case c.action == raw.Put:
		return c.view.Size()
	case c.raw != nil:
		return len(c.table.key.Hash.Name) + len(c.table.key.Sort.Name) + len(c.raw.Key.Hash) + len(c.raw.Key.Sort)
	}
	return value.ItemSize(c.key)
}

// assignedType returns the type that an update gives an attribute whatever the item is,
// "" when that is not known.
func (c *change) assignedType(name string) string {
	if c.raw != nil {
		return c.raw.assigns(name)
	}
	return c.program.AssignedType(name)
}

// updates reports whether an update may change an attribute.
func (c *change) updates(name string) bool {
	if c.raw != nil {
		return c.raw.assigns(name) != ""
	}
	return c.program.Updates(name)
}

// holds reports whether old meets the condition of c.
func (c *change) holds(old *itemcodec.View) bool {
	if c.raw != nil {
		return c.raw.holds(old)
	}
	return !c.program.HasCondition() || c.program.Condition(old)
}

// nowhere makes a change to a key that the table has no place for, with its fault.
func nowhere(a raw.Action, t *table, key Item, fault error) *change {
	c := &change{action: a, table: t, key: key, program: plain, fault: fault}
	c.standNowhere()
	return c
}

// standNowhere places c where its table begins, where no item is.
func (c *change) standNowhere() {
	c.place = c.table.prefix
	c.stripe = stripeOf(c.place)
}

// isNowhere reports whether c has no place.
func (c *change) isNowhere() bool { return len(c.place) == len(c.table.prefix) }
