package engine

import (
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// action is what a change does to its item.
type action int

const (
	actionPut action = iota
	actionUpdate
	actionDelete
	actionCheck // only looks at its condition
)

// change is one write to one item.
type change struct {
	action action
	table  *table
	// key is the item's key, or for a put the whole item.
	key     Item
	program *expr.Program // condition and update
	// direct is what is asked in a direct write, which has no program; nil for others.
	direct *directChange
	// oldOnFailure asks for the item when the condition does not hold.
	oldOnFailure bool
	// fault is what is wrong with the change by the table's schema. A transaction
	// names it as a reason of its cancellation, other requests fail at once.
	fault error
	// keepOld asks for the item as it was before the change.
	keepOld bool
	// unpriced says that nobody asks for the units.
	unpriced bool

	place  []byte // where the item is stored
	stripe int
}

// effect is what a change did.
type effect struct {
	// err is why the change was refused: its condition did not hold, or the
	// update does not fit the item as it is.
	err error
	// old is the item before the change, if it existed and was asked for; new is
	// the item after a put or an update, parts of it the request's own. Direct writes
	// are not asked for it.
	old, new Item
	units    units
}

// newChange places a change whose key was judged before.
func newChange(a action, t *table, key Item, p *expr.Program) (*change, error) {
	place, ok := appendKey(make([]byte, 0, 96), &t.relation, given(key))
	if !ok {
		return nil, errKeySchema()
	}
	return &change{action: a, table: t, key: key, program: p, place: place, stripe: stripeOf(place)}, nil
}

// holds reports whether old meets the condition of c.
func (c *change) holds(old *itemcodec.View) bool {
	if c.direct != nil {
		return c.direct.holds(old)
	}
	return !c.program.HasCondition() || c.program.Condition(old)
}

// movesEntries reports whether c may change attributes that are keys of indexes.
func (c *change) movesEntries() bool { return c.direct == nil || c.direct.movesEntries }

// nowhere makes a change that the table has no place for, with its fault. It stands
// where the table begins, where no item is.
func nowhere(a action, t *table, key Item, fault error) *change {
	return &change{action: a, table: t, key: key, program: plain, fault: fault, place: t.prefix, stripe: stripeOf(t.prefix)}
}

// isNowhere reports whether c has no place.
func (c *change) isNowhere() bool { return len(c.place) == len(c.table.prefix) }
