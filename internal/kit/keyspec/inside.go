package keyspec

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Path is a location within an attribute that is a map: the attribute, followed by map
// keys.
type Path []string

// In returns the Path to a location within an attribute.
func In(attribute string, keys ...string) Path { return append(Path{attribute}, keys...) }

// Changes within attributes, of set members, and of number keys by an amount leave the rest
// of the attribute unchanged: two concurrent transactions that change different parts of
// one map both succeed. They are executed as update expressions on the server and never as
// direct writes.

// SetIn sets the value at a location whose parent must exist. Nil is stored as NULL.
func (u Update) SetIn(path Path, v any) Update {
	if v == nil {
		return u.inside(insideSet, path, null)
	}
	g, err := u.a.row.codec.valueIn(v)
	switch {
	case err != nil:
		u.a.fail(err)
		return u
	case g.isNil():
		return u.inside(insideSet, path, null)
	}
	return u.inside(insideSet, path, g.stored())
}

// RemoveIn removes a location with its contents.
func (u Update) RemoveIn(path Path) Update { return u.inside(insideRemove, path, nil) }

// AddIn adds to a number, which must exist.
func (u Update) AddIn(path Path, by Numeral) Update {
	return u.inside(insideAdd, path, &types.AttributeValueMemberN{Value: string(by)})
}

// Raise adds to the attribute of a number key, or of several, which must exist. It avoids
// conflicts between frequent changes of an item's position in an index. An attribute can be
// raised once per transaction.
func (u Update) Raise(attribute string, by Numeral) Update {
	f, raised := u.a.row.codec.byName[attribute], false
	for _, k := range u.a.row.keys {
		if f != nil && k.numeric() && k.skSlots[0].field == f {
			u.a.within = append(u.a.within, inside{insideAdd, In(k.skName), &types.AttributeValueMemberN{Value: string(by)}})
			raised = true
		}
	}
	if !raised {
		u.a.fail(fmt.Errorf("%q is no number key of %s", attribute, u.a.row.codec.typ))
	}
	return u
}

// Append appends a text to a list, which must exist.
func (u Update) Append(attribute, text string) Update {
	if f := u.a.row.codec.byName[attribute]; f == nil || f.wire != wireList {
		u.a.fail(fmt.Errorf("%q is no list of %s", attribute, u.a.row.codec.typ))
		return u
	}
	one := []types.AttributeValue{&types.AttributeValueMemberS{Value: text}}
	return u.inside(insideAppend, In(attribute), &types.AttributeValueMemberL{Value: one})
}

// Include adds members to a Set.
func (u Update) Include(attribute string, members ...string) Update {
	return u.members(insideInclude, attribute, members)
}

// Exclude removes members from a Set. A Set without members is absent.
func (u Update) Exclude(attribute string, members ...string) Update {
	return u.members(insideExclude, attribute, members)
}

func (u Update) members(op insideOp, attribute string, members []string) Update {
	if f := u.a.row.codec.byName[attribute]; f == nil || f.wire != wireSet {
		u.a.fail(fmt.Errorf("%q is no set of %s", attribute, u.a.row.codec.typ))
		return u
	}
	return u.inside(op, In(attribute), &types.AttributeValueMemberSS{Value: members})
}

func (u Update) inside(op insideOp, path Path, v types.AttributeValue) Update {
	switch f := u.a.row.codec.byName[path[0]]; {
	case f == nil:
		u.a.fail(fmt.Errorf("%q is no attribute of %s", path[0], u.a.row.codec.typ))
	case len(path) > 1 && f.wire != wireMap:
		u.a.fail(fmt.Errorf("%q of %s is no map", path[0], u.a.row.codec.typ))
	default:
		u.a.within = append(u.a.within, inside{op, path, v})
	}
	return u
}

type insideOp uint8

const (
	insideSet insideOp = iota
	insideAdd
	insideAppend
	insideRemove
	insideInclude
	insideExclude
)

// inside is a change of a part of an attribute.
type inside struct {
	op    insideOp
	path  Path
	value types.AttributeValue
}

// isDeep reports whether the action has conditions on or changes of parts of attributes.
func (a *action) isDeep() bool {
	if len(a.within) > 0 {
		return true
	}
	return slices.ContainsFunc(a.tests, func(t test) bool { return t.expression != nil && t.keys > 0 })
}

// path writes a location.
func (w *writer) path(p Path) {
	w.name(p[0])
	for _, key := range p[1:] {
		w.WriteString(".")
		w.key(key)
	}
}

// key writes a placeholder for a map key, which is independent of the key, so that the text
// is the same for all keys.
func (w *writer) key(key string) {
	placeholder := "#k" + strconv.Itoa(w.keys)
	w.keys++
	if w.names == nil {
		w.names = map[string]string{}
	}
	w.names[placeholder] = key
	w.WriteString(placeholder)
}

// inside writes the changes of some kinds, each after a separator, and returns the
// separator for the next one.
func (w *writer) inside(changes []inside, section string, ops ...insideOp) string {
	for _, c := range changes {
		for _, op := range ops {
			if c.op != op {
				continue
			}
			w.WriteString(section)
			section = ", "
			w.path(c.path)
			switch c.op {
			case insideSet:
				w.WriteString(" = ")
				w.value(c.value)
			case insideAdd:
				w.WriteString(" = ")
				w.path(c.path)
				w.WriteString(" + ")
				w.value(c.value)
			case insideAppend:
				w.WriteString(" = list_append(")
				w.path(c.path)
				w.WriteString(", ")
				w.value(c.value)
				w.WriteString(")")
			case insideInclude, insideExclude:
				w.WriteString(" ")
				w.value(c.value)
			}
		}
	}
	return section
}
