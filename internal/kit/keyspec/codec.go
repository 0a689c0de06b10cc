package keyspec

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tag names the struct tag of a field: `dynamo:"attribute"`, and after a comma what is
// special about it.
const (
	tag = "dynamo"
	// keyOnly attributes are stored only inside keys.
	keyOnly = "keyonly"
	// keepZero attributes are stored while they are zero too.
	keepZero = "zero"
	// keepNull attributes are stored as NULL while they are nil, or an empty JSON.
	keepNull = "null"
)

// codec is the plan to convert one struct type to and from items. It is compiled
// once: fields are reached by offset, so that converting an item needs no reflection.
type codec struct {
	typ    reflect.Type
	fields []*field
	byName map[string]*field
}

// field is one attribute of a struct.
type field struct {
	value
	name   string
	offset uintptr
	// number counts the fields of the struct from 0.
	number int
	// keyOnly fields are stored only inside keys and restored from them.
	keyOnly bool
	// null fields are stored as NULL while they are absent otherwise.
	null bool
}

func (f *field) at(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, f.offset) }

// text returns the field as it stands in a key, or "" when it is absent or of a kind
// that no key can hold.
func (f *field) text(p unsafe.Pointer) string {
	if f.format == nil || f.zero(f.at(p)) {
		return ""
	}
	return f.format(f.at(p))
}

func compile(typ reflect.Type) (*codec, error) {
	if typ.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", typ)
	}
	c := &codec{typ: typ, byName: map[string]*field{}}
	if err := c.addFields(typ, 0); err != nil {
		return nil, err
	}
	if c.byName[versionAttribute] != nil {
		return nil, fmt.Errorf("%s: %s is kept by the row, not by a field", typ, versionAttribute)
	}
	return c, nil
}

// addFields adds the fields of typ, which lies at an offset of the whole struct.
// Embedded structs lend their fields.
func (c *codec) addFields(typ reflect.Type, offset uintptr) error {
	for i := range typ.NumField() {
		sf := typ.Field(i)
		label, tagged := sf.Tag.Lookup(tag)
		if sf.Anonymous && !tagged && sf.Type.Kind() == reflect.Struct {
			if err := c.addFields(sf.Type, offset+sf.Offset); err != nil {
				return err
			}
			continue
		}
		if label == "-" {
			continue
		}
		name, option, _ := strings.Cut(label, ",")
		switch {
		case name == "":
			return fmt.Errorf("field %s of %s needs a tag like `dynamo:\"attribute\"`", sf.Name, c.typ)
		case c.byName[name] != nil:
			return fmt.Errorf("%s has attribute %q twice", c.typ, name)
		case option != "" && option != keyOnly && option != keepZero && option != keepNull:
			return fmt.Errorf("attribute %q of %s: unknown option %q", name, c.typ, option)
		}
		v, err := valueOf(sf.Type)
		if err != nil {
			return fmt.Errorf("attribute %q of %s: %w", name, c.typ, err)
		}
		if option == keepNull && sf.Type.Kind() != reflect.Pointer && sf.Type != jsonType {
			return fmt.Errorf("attribute %q of %s: only a pointer or JSON can be stored as NULL", name, c.typ)
		}
		if option == keepZero {
			v.zero = func(unsafe.Pointer) bool { return false }
		}
		f := &field{
			value: v, name: name, offset: offset + sf.Offset, number: len(c.fields),
			keyOnly: option == keyOnly, null: option == keepNull,
		}
		c.fields = append(c.fields, f)
		c.byName[name] = f
	}
	return nil
}

// encodeNested adds the attributes of a struct inside an attribute. There a zero is a
// value like any other, only what is nil is absent.
func (c *codec) encodeNested(p unsafe.Pointer, item map[string]types.AttributeValue) {
	texts := newSlab(len(c.fields))
	for _, f := range c.fields {
		switch at := f.at(p); {
		case f.null && f.zero(at):
			item[f.name] = null
		case !f.nilable() || !f.zero(at):
			item[f.name] = f.encode(at, texts)
		}
	}
}

// decode fills the struct at p from item. It looks for the fields in the item or
// for the attributes in the struct, whichever are fewer.
func (c *codec) decode(item map[string]types.AttributeValue, p unsafe.Pointer) error {
	if len(c.fields) <= len(item) {
		for _, f := range c.fields {
			if av, ok := item[f.name]; ok && !f.keyOnly {
				if err := f.read(av, p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for name, av := range item {
		if f := c.byName[name]; f != nil && !f.keyOnly {
			if err := f.read(av, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *field) read(av types.AttributeValue, p unsafe.Pointer) error {
	if err := f.decode(av, f.at(p)); err != nil {
		return fmt.Errorf("attribute %q: %w", f.name, err)
	}
	return nil
}
