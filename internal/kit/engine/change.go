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
	// key is the item's key as given by a request; nil for puts and raw writes.
	key     Item
	program *expr.Program // condition and update
	// raw is the content of a raw write, which has no program; nil for requests.
	raw *rawChange
	// view is the item of a put.
	view itemcodec.View
	// oldOnFailure requests the item if the condition does not hold.
	oldOnFailure bool
	// fault is a violation of the table's schema. In a transaction it becomes a
	// cancellation reason; other requests fail at once.
	fault error
	// keepOld and keepNew request the item before and after the change.
	keepOld, keepNew bool
	// unpriced is set if consumed capacity was not requested.
	unpriced bool
	// movesEntries is set if key attributes of indexes may change.
	movesEntries bool

	storedKey []byte // the key of the item in the storage
	stripe    int
}

// effect is the result of a change.
type effect struct {
	// err is the reason why the change was refused: its condition did not hold, or the
	// update does not fit the current item.
	err error
	// old and new are the item before and after the change, if it existed and was requested.
	old, new Item
	units    units
}

// newChange returns a change of the item with a key that has been validated.
func newChange(a raw.Action, t *table, key Item, p *expr.Program) (*change, error) {
	storedKey, ok := appendKey(make([]byte, 0, 96), &t.relation, key)
	if !ok {
		return nil, errKeySchema()
	}
	return &change{action: a, table: t, key: key, program: p, storedKey: storedKey, stripe: stripeOf(storedKey), movesEntries: true}, nil
}

// appendStoredKey appends the stored key of the put c.view to dst, sets it, and validates the
// key attributes.
func (c *change) appendStoredKey(dst []byte) ([]byte, error) {
	t := c.table
	c.movesEntries = true
	var buf [usualColumns]itemcodec.Value
	columns := t.columns.Find(c.view, buf[:0])
	if c.fault = t.checkItemKey(columns); c.fault != nil {
		c.clearStoredKey()
		return dst, nil
	}
	c.fault = t.checkIndexKeys(columns)
	at := len(dst)
	dst, ok := t.appendColumns(dst, columns)
	if !ok {
		return dst, errKeySchema()
	}
	c.storedKey = dst[at:len(dst):len(dst)]
	c.stripe = stripeOf(c.storedKey)
	return dst, nil
}

// usualColumns is the number of key attributes of most tables with their indexes.
const usualColumns = 24

// size returns the size of c, in bytes, for the size limit of transactions.
func (c *change) size() int {
	switch {
	case c.action == raw.Put:
		return c.view.Size()
	case c.raw != nil:
		return len(c.table.key.Hash.Name) + len(c.table.key.Sort.Name) + len(c.raw.Key.Hash) + len(c.raw.Key.Sort)
	}
	return value.ItemSize(c.key)
}

// assignedType returns the type that an update gives to an attribute regardless of the
// item, or "" if it depends on the item.
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

// holds reports whether old satisfies the condition of c.
func (c *change) holds(old *itemcodec.View) bool {
	if c.raw != nil {
		return c.raw.holds(old)
	}
	return c.program.Condition(old)
}

// invalidChange returns a change with a fault, for a key that is invalid for its table.
func invalidChange(a raw.Action, t *table, key Item, fault error) *change {
	c := &change{action: a, table: t, key: key, fault: fault}
	c.clearStoredKey()
	return c
}

// clearStoredKey sets the stored key of c to the prefix of its table, which no item has.
func (c *change) clearStoredKey() {
	c.storedKey = c.table.prefix
	c.stripe = stripeOf(c.storedKey)
}

// hasNoStoredKey reports whether clearStoredKey was called.
func (c *change) hasNoStoredKey() bool { return len(c.storedKey) == len(c.table.prefix) }
