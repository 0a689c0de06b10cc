package keyspec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
		var av types.AttributeValue
		if !f.zero(f.at(q)) {
			av = f.encode(f.at(q), nil)
		}
		u.a.set(f, av, f.text(q))
	}
	return u
}

// Set changes an attribute. A zero value, as everywhere, makes it absent.
func (u Update) Set(attribute string, v any) Update {
	f, av, text, err := u.a.field(attribute, v)
	if err != nil {
		u.a.fail(err)
		return u
	}
	u.a.set(f, av, text)
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
	f, _, text, err := u.a.field(attribute, v)
	if err != nil {
		u.a.fail(err)
		return u
	}
	u.a.tell(f, text)
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
		u.a.shift(attribute, by)
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
	shifts []shift
	// told are the texts of attributes whose value is known without being set.
	told map[*field]string
	// whole is the item after the change, where all of it is known.
	whole unsafe.Pointer
}

// assignment gives an attribute a value, or removes it when the value is nil.
type assignment struct {
	field *field
	value types.AttributeValue
	text  string
}

type shift struct {
	attribute string
	by        int
}

func (c *changes) set(f *field, av types.AttributeValue, text string) {
	c.sets = slices.DeleteFunc(c.sets, func(s assignment) bool { return s.field == f })
	c.sets = append(c.sets, assignment{f, av, text})
}

func (c *changes) tell(f *field, text string) {
	if c.told == nil {
		c.told = map[*field]string{}
	}
	c.told[f] = text
}

func (c *changes) shift(attribute string, by int) {
	i := slices.IndexFunc(c.shifts, func(s shift) bool { return s.attribute == attribute })
	if i < 0 {
		c.shifts = append(c.shifts, shift{attribute, by})
		return
	}
	if c.shifts[i].by += by; c.shifts[i].by == 0 {
		c.shifts = slices.Delete(c.shifts, i, i+1)
	}
}

// known returns the text of a field after the change, if that can be told.
func (c *changes) known(f *field) (text string, ok bool) {
	for _, s := range c.sets {
		if s.field == f {
			return s.text, true
		}
	}
	if text, ok = c.told[f]; ok {
		return text, true
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
// absent: their stored form is nil.
func (a *action) field(attribute string, x any) (f *field, av types.AttributeValue, text string, err error) {
	f = a.row.codec.byName[attribute]
	if f == nil {
		return nil, nil, "", fmt.Errorf("%q is no attribute of %s", attribute, a.row.codec.typ)
	}
	if x == nil {
		return f, nil, "", nil
	}
	g, err := valueIn(x)
	switch {
	case err != nil:
		return nil, nil, "", fmt.Errorf("attribute %q: %w", attribute, err)
	case g.wire != f.wire || g.isStamp != f.isStamp:
		return nil, nil, "", fmt.Errorf("attribute %q of %s is a %s, got a %s", attribute, a.row.codec.typ, f.typ, g.typ)
	case g.isNil() || !f.nilable() && g.zero(g.at):
		return f, nil, "", nil
	}
	return f, g.stored(), g.text(), nil
}

// expression writes the update expression, "" when there is nothing to change.
func (a *action) expression(w *writer) (string, error) {
	stamps, err := a.stamps()
	if err != nil {
		return "", err
	}
	var removed []string
	section := " SET "
	assign := func(name string, av types.AttributeValue) {
		if av == nil {
			removed = append(removed, name)
			return
		}
		w.WriteString(section)
		section = ", "
		w.name(name)
		w.WriteString(" = ")
		w.value(av)
	}
	for _, s := range a.sets {
		if !s.field.keyOnly {
			assign(s.field.name, s.value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stamps)) {
		assign(name, stamps[name])
	}
	section = " ADD "
	for _, s := range a.shifts {
		if a.isSet(a.row.codec.byName[s.attribute]) {
			return "", fmt.Errorf("keyspec: %s: %q is both set and shifted", a.key, s.attribute)
		}
		w.WriteString(section)
		section = ", "
		w.name(s.attribute)
		w.WriteString(" ")
		w.value(integer(s.by))
	}
	section = " REMOVE "
	for _, name := range removed {
		w.WriteString(section)
		section = ", "
		w.name(name)
	}
	return strings.TrimPrefix(w.String(), " "), nil
}

func integer(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
