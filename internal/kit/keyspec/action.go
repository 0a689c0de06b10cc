package keyspec

import (
	"fmt"
	"unsafe"

	"stoa/internal/kit/engine/raw"
)

// Action is one write of a transaction: a Write or an Update. After the transaction
// has failed it tells which condition refused, see Refused.
type Action interface{ core() *action }

// Write is a put, a deletion or a check of one item.
type Write struct{ a *action }

func (w Write) core() *action { return w.a }

// If adds a condition in DynamoDB's notation, with ? for each value: all conditions
// of an action must hold. Attributes are written by their names, reserved words too.
func (w Write) If(condition string, values ...any) Write {
	w.a.require(condition, values)
	return w
}

// Exists adds the condition that the item is there.
func (w Write) Exists() Write {
	w.a.exists = true
	return w
}

// Absent adds the condition that the item is not there.
func (w Write) Absent() Write {
	w.a.absent = true
	return w
}

// Put writes v in place of what is there, if anything.
func (e *Entity[T]) Put(tx *Tx, v T) Write { return e.put(tx, unsafe.Pointer(&v)) }

func (r *row) put(tx *Tx, p unsafe.Pointer) Write {
	a := tx.on(put, r.keyAt(p))
	if r.spec.Legacy {
		a.fail(errLegacy)
		return Write{a}
	}
	at := len(tx.fields)
	fields, err := r.fields(tx.roomFor(len(r.columns)), a.key, p)
	if err != nil {
		a.fail(err)
		return Write{a}
	}
	tx.fields, a.item = fields, fields[at:len(fields):len(fields)]
	return Write{a}
}

// Create writes v and refuses when an item with its key is there.
func (e *Entity[T]) Create(tx *Tx, v T) Write { return e.Put(tx, v).Absent() }

// Delete removes an item. That it is absent is no error, unless a condition says so.
func (e *Entity[T]) Delete(tx *Tx, key Key) Write {
	e.owns(key)
	return Write{tx.on(remove, key)}
}

// Check only makes conditions on an item. Together with another action on the same
// item it becomes that action's condition.
func (e *Entity[T]) Check(tx *Tx, key Key) Write {
	e.owns(key)
	return Write{tx.on(check, key)}
}

// kind is what an action does. A check becomes what the same item is asked for next.
type kind int

const (
	check kind = iota
	put
	update
	remove
)

// action is everything a transaction does to one item.
type action struct {
	row  *row
	key  Key
	kind kind
	err  error

	tests          []test
	exists, absent bool

	// item is what a put writes.
	item []raw.Field
	changes
	plan plan
}

func (a *action) require(condition string, values []any) {
	t, err := a.row.test(condition, values)
	a.fail(err)
	a.tests = append(a.tests, t)
}

// fail keeps the first error.
func (a *action) fail(err error) {
	if a.err == nil && err != nil {
		a.err = fmt.Errorf("keyspec: %s: %w", a.key, err)
	}
}

// merge says whether an action of a kind may join this one, and makes it so. A put
// takes counter shifts in, whichever comes first.
func (a *action) merge(k kind) bool {
	switch {
	case k == check:
		return true
	case a.kind == check, a.kind == update && k == put:
		a.kind = k
		return true
	default:
		return k == update && (a.kind == update || a.kind == put)
	}
}

// isPlain reports whether repeating the action alone is harmless and needs no
// transaction.
func (a *action) isPlain() bool {
	return (a.kind == put || a.kind == remove) && len(a.tests) == 0 && !a.exists && !a.absent
}

// isEmpty reports whether nothing is left to do.
func (a *action) isEmpty() bool {
	return a.kind == update && len(a.sets)+len(a.shifts)+len(a.within)+len(a.tests) == 0 && !a.exists && !a.absent
}
