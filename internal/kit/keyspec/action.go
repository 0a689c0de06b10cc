package keyspec

import (
	"fmt"
	"unsafe"

	"stoa/internal/kit/engine/raw"
)

// Action is one write of a transaction: a Write or an Update. After the transaction has
// failed, Refused reports whether its condition was the cause.
type Action interface{ core() *action }

// Write is a put, a deletion or a check of one item.
type Write struct{ a *action }

func (w Write) core() *action { return w.a }

// If adds a condition in DynamoDB's notation, with ? for each value. All conditions of an
// action must hold. Attributes, including reserved words, are written by name.
func (w Write) If(condition string, values ...any) Write {
	w.a.require(condition, values)
	return w
}

// Exists adds the condition that the item exists.
func (w Write) Exists() Write {
	w.a.exists = true
	return w
}

// Absent adds the condition that the item does not exist.
func (w Write) Absent() Write {
	w.a.absent = true
	return w
}

// Put writes v, replacing the item with its key if there is one.
func (e *Entity[T]) Put(tx *Tx, v T) Write { return e.put(tx, unsafe.Pointer(&v)) }

func (r *row) put(tx *Tx, p unsafe.Pointer) Write {
	a := tx.on(put, r.keyAt(p))
	if r.spec.Legacy {
		a.fail(errLegacy)
		return Write{a}
	}
	at := len(tx.fields)
	fields, err := r.fields(tx.growFields(len(r.columns)), a.key, p)
	if err != nil {
		a.fail(err)
		return Write{a}
	}
	tx.fields, a.item = fields, fields[at:len(fields):len(fields)]
	return Write{a}
}

// Create writes v on the condition that no item with its key exists.
func (e *Entity[T]) Create(tx *Tx, v T) Write { return e.Put(tx, v).Absent() }

// Delete removes an item. A missing item is not an error, unless a condition requires it.
func (e *Entity[T]) Delete(tx *Tx, key Key) Write {
	e.owns(key)
	return Write{tx.on(remove, key)}
}

// Check adds an action that only has conditions on an item. If another action concerns the
// same item, they are merged.
func (e *Entity[T]) Check(tx *Tx, key Key) Write {
	e.owns(key)
	return Write{tx.on(check, key)}
}

// kind is the kind of an action. A check takes the kind of the next action on the same
// item.
type kind = raw.Action

const (
	check  = raw.Check
	put    = raw.Put
	update = raw.Update
	remove = raw.Delete
)

// action is everything that a transaction does to one item.
type action struct {
	row  *row
	key  Key
	kind kind
	err  error

	tests          []test
	exists, absent bool

	// item is the item that a put writes.
	item []raw.Field
	changes
	plan plan
}

func (a *action) require(condition string, values []any) {
	t, err := a.row.test(condition, values)
	a.fail(err)
	a.tests = append(a.tests, t)
}

// fail records the first error.
func (a *action) fail(err error) {
	if a.err == nil && err != nil {
		a.err = fmt.Errorf("keyspec: %s: %w", a.key, err)
	}
}

// merge reports whether an action of kind k may be merged into this one, and changes the
// kind accordingly. A put may be merged with counter shifts, in either order.
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

// isPlain reports whether the action needs no transaction because repeating it alone is
// harmless.
func (a *action) isPlain() bool {
	return (a.kind == put || a.kind == remove) && len(a.tests) == 0 && !a.exists && !a.absent
}

// isEmpty reports whether the action does nothing.
func (a *action) isEmpty() bool {
	return a.kind == update && len(a.sets)+len(a.shifts)+len(a.within)+len(a.tests) == 0 && !a.exists && !a.absent
}
