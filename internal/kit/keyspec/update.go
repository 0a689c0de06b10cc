package keyspec

import (
	"fmt"
	"slices"
	"strconv"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// Update changes attributes of an item, which must exist. Keys that depend on a changed
// attribute are updated, or removed if a slot becomes absent. If a key depends on
// attributes unknown to the update, the transaction fails before it is sent: declare them
// with Given, or use Change.
type Update struct{ a *action }

func (u Update) core() *action { return u.a }

// Update adds an update of the item with a key. Several updates of one item in a
// transaction become one.
func (e *Entity[T]) Update(tx *Tx, key Key) Update {
	e.owns(key)
	return Update{tx.on(update, key)}
}

// Change updates the item from one state to another, writing only the differences. Both
// states must have the same primary key, and all attributes of keys that change.
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

// Set sets an attribute. As everywhere, a zero value makes it absent.
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

// Given declares the stored value of an unchanged attribute that changed keys depend on.
// Nil means that it is absent. It is not a condition.
func (u Update) Given(attribute string, v any) Update {
	f, value, err := u.a.field(attribute, v)
	if err != nil {
		u.a.fail(err)
		return u
	}
	u.a.tell(f, value.Text)
	return u
}

// Shift adds to a counter, which is a number attribute that is absent while zero and never
// negative. Shifts of one counter in a transaction are added up.
//
// A counter must not prevent the change it counts: a shift that would make it negative, or
// whose item does not exist and has no other changes, is omitted and reported to
// DB.OnDrift.
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

// If adds a condition; see Write.If. The item must always exist.
func (u Update) If(condition string, values ...any) Update {
	u.a.require(condition, values)
	return u
}

// changes are the changes of an update.
type changes struct {
	sets   []assignment
	shifts []raw.Shift
	// within are changes of parts of attributes.
	within []inside
	// told holds the texts of attributes with known values that are not set.
	told []told
	// whole is the item after the change, if all of it is known.
	whole unsafe.Pointer
}

// assignment sets an attribute, or removes it if the value is absent. Texts and numbers
// have the same form in keys.
type assignment struct {
	field *field
	value raw.Field
}

// told is the text of an attribute in keys.
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

// known returns the text of a field after the change, if it is known.
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

// field returns the field of an attribute and the converted value. Nil and zero values are
// absent.
func (a *action) field(attribute string, x any) (f *field, v raw.Field, err error) {
	f = a.row.codec.byName[attribute]
	if f == nil {
		return nil, v, fmt.Errorf("%q is no attribute of %s", attribute, a.row.codec.typ)
	}
	if x == nil {
		return f, f.absent(), nil
	}
	g, err := a.row.codec.valueOf(f, x)
	switch {
	case err != nil:
		return nil, v, fmt.Errorf("attribute %q: %w", attribute, err)
	case g.wire != f.wire || g.isStamp != f.isStamp:
		return nil, v, fmt.Errorf("attribute %q of %s is a %s, got a %s", attribute, a.row.codec.typ, f.typ, g.typ)
	case g.isNil() || !f.nilable() && g.zero(g.at) && !f.keepZero:
		return f, f.absent(), nil
	}
	return f, g.plain(g.at), nil
}

func integer(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}
