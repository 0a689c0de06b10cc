package keyspec

import (
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// Update changes attributes of an item that must be there. Keys made of a changed
// attribute are made anew, or removed when they lose a slot. Where a key needs more
// attributes than the update knows, the transaction fails before anything is sent:
// tell them with Given, or use Change.
type Update struct{ a *action }

func (u Update) core() *action { return u.a }

// Update starts changing the item with a key. Several updates of one item in a
// transaction become one.
func (e *Entity[T]) Update(tx *Tx, key Key) Update {
	e.owns(key)
	return Update{tx.on(update, key)}
}

// Change updates the item from one state to another: it writes what differs and
// nothing else. Both states must have the same primary key, and be whole as far as the
// keys go that change with them.
func (e *Entity[T]) Change(tx *Tx, before, after T) Update {
	return e.change(tx, unsafe.Pointer(&before), unsafe.Pointer(&after))
}

func (r *row) change(tx *Tx, p, q unsafe.Pointer) Update {
	from, to := r.keyAt(p), r.keyAt(q)
	u := Update{tx.on(update, from)}
	if from.address() != to.address() {
		u.a.fail(fmt.Errorf("a change cannot move the item to %s", to))
		return u
	}
	u.a.whole = q
	for _, f := range r.codec.fields {
		if f.equal(f.at(p), f.at(q)) {
			continue
		}
		u.a.set(f, f.stored(q))
	}
	return u
}

// Set changes an attribute. A zero value, as everywhere, makes it absent.
func (u Update) Set(attribute string, v any) Update {
	f, value, err := u.a.field(attribute, v)
	if err != nil {
		u.a.fail(err)
		return u
	}
	u.a.set(f, value)
	return u
}

// Remove makes attributes absent.
func (u Update) Remove(attributes ...string) Update {
	for _, attribute := range attributes {
		u.Set(attribute, nil)
	}
	return u
}

// Given tells the stored value of an attribute that does not change, because keys
// that do change need it. Nil says that it is absent. It is not a condition.
func (u Update) Given(attribute string, v any) Update {
	f, value, err := u.a.field(attribute, v)
	if err != nil {
		u.a.fail(err)
		return u
	}
	u.a.tell(f, value.Text)
	return u
}

// Shift adds to a counter, which is a number attribute that is absent while zero and
// never negative. Shifts of one counter in a transaction are summed up.
//
// A counter must not stop the change it counts: a shift that would go below zero, or
// whose item is absent while nothing but shifts is asked of it, is left out and
// reported to DB.OnDrift.
func (u Update) Shift(attribute string, by int) Update {
	f := u.a.row.codec.byName[attribute]
	switch {
	case f == nil || !f.isNumber || f.keyOnly:
		u.a.fail(fmt.Errorf("%q is no number attribute of %s", attribute, u.a.row.codec.typ))
	case u.a.row.uses(f):
		u.a.fail(fmt.Errorf("%q is part of a key and cannot be shifted", attribute))
	default:
		u.a.shift(attribute, int64(by))
	}
	return u
}

// If adds a condition, see Write.If. That the item is there is always one.
func (u Update) If(condition string, values ...any) Update {
	u.a.require(condition, values)
	return u
}

// changes are what an update does.
type changes struct {
	sets   []assignment
	shifts []raw.Shift
	// within are changes of parts of attributes.
	within []inside
	// told are the texts of attributes whose value is known without being set.
	told []told
	// whole is the item after the change, where all of it is known.
	whole unsafe.Pointer
}

// assignment gives an attribute a value, or removes it when the value is absent. A text
// or number also stands so in keys.
type assignment struct {
	field *field
	value raw.Field
}

// told is what an attribute stands as in keys.
type told struct {
	field *field
	text  string
}

func (c *changes) set(f *field, v raw.Field) {
	v.Name = f.name
	c.sets = slices.DeleteFunc(c.sets, func(s assignment) bool { return s.field == f })
	c.sets = append(c.sets, assignment{f, v})
}

func (c *changes) tell(f *field, text string) {
	for i := range c.told {
		if c.told[i].field == f {
			c.told[i].text = text
			return
		}
	}
	if c.told == nil {
		c.told = make([]told, 0, 4)
	}
	c.told = append(c.told, told{f, text})
}

func (c *changes) shift(attribute string, by int64) {
	i := slices.IndexFunc(c.shifts, func(s raw.Shift) bool { return s.Name == attribute })
	if i < 0 {
		c.shifts = append(c.shifts, raw.Shift{Name: attribute, By: by})
		return
	}
	if c.shifts[i].By += by; c.shifts[i].By == 0 {
		c.shifts = slices.Delete(c.shifts, i, i+1)
	}
}

// known returns the text of a field after the change, if that can be told.
func (c *changes) known(f *field) (text string, ok bool) {
	for _, s := range c.sets {
		if s.field == f {
			return s.value.Text, true
		}
	}
	for _, t := range c.told {
		if t.field == f {
			return t.text, true
		}
	}
	if c.whole != nil {
		return f.text(c.whole), true
	}
	return "", false
}

func (c *changes) isSet(f *field) bool {
	return slices.ContainsFunc(c.sets, func(s assignment) bool { return s.field == f })
}

// field finds an attribute and converts a value for it. Nil and zero values are
// absent.
func (a *action) field(attribute string, x any) (f *field, v raw.Field, err error) {
	f = a.row.codec.byName[attribute]
	if f == nil {
		return nil, v, fmt.Errorf("%q is no attribute of %s", attribute, a.row.codec.typ)
	}
	if x == nil {
		return f, f.absent(), nil
	}
	g, err := valueIn(x)
	switch {
	case err != nil:
		return nil, v, fmt.Errorf("attribute %q: %w", attribute, err)
	case g.wire != f.wire || g.isStamp != f.isStamp:
		return nil, v, fmt.Errorf("attribute %q of %s is a %s, got a %s", attribute, a.row.codec.typ, f.typ, g.typ)
	case g.isNil() || !f.nilable() && f.zero(g.at):
		return f, f.absent(), nil
	}
	return f, g.plain(g.at), nil
}

func integer(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}
