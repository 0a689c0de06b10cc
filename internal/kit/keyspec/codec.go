package keyspec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tag is the struct tag of a field: `dynamo:"attribute"`, optionally followed by options,
// each after a comma.
const (
	tag = "dynamo"
	// inline promotes the fields of a struct, as if it were embedded.
	inline = ",inline"
	// keyOnly attributes are stored only inside keys.
	keyOnly = "keyonly"
	// keepZero attributes are stored even if they are zero.
	keepZero = "zero"
	// keepNull attributes are stored as NULL if they are nil, an empty JSON or a zero time.
	keepNull = "null"
	// asJSON attributes are texts that are stored like a JSON.
	asJSON = "json"
	// asSet attributes are slices of texts that are stored like a Set.
	asSet = "set"
)

// known lists the options.
var known = []string{keyOnly, keepZero, keepNull, asJSON, asSet}

// codec is the compiled plan for converting a struct type to and from items. Fields are
// accessed by offset, without reflection.
type codec struct {
	typ reflect.Type
	// precision is that of times.
	precision time.Duration

	fields []*field
	byName map[string]*field
}

// field is one attribute of a struct.
type field struct {
	value
	name   string
	offset uintptr
	// number is the index of the field in the struct.
	number int
	// keyOnly fields are stored only inside keys and restored from them.
	keyOnly bool
	// keepZero fields are stored even if they are zero, null fields as NULL if they would
	// otherwise be absent.
	keepZero, null bool
}

func (f *field) at(p unsafe.Pointer) unsafe.Pointer { return unsafe.Add(p, f.offset) }

// text returns the field in the form used in keys, or "" if it is absent or of a kind that
// keys cannot contain.
func (f *field) text(p unsafe.Pointer) string {
	if f.format == nil || f.zero(f.at(p)) {
		return ""
	}
	return f.format(f.at(p))
}

func compile(typ reflect.Type, precision time.Duration) (*codec, error) {
	if typ.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", typ)
	}
	c := &codec{typ: typ, precision: precision, byName: map[string]*field{}}
	if err := c.addFields(typ, 0); err != nil {
		return nil, err
	}
	if c.byName[versionAttribute] != nil {
		return nil, fmt.Errorf("%s: %s is kept by the row, not by a field", typ, versionAttribute)
	}
	return c, nil
}

// addFields adds the fields of typ, which is at an offset within the whole struct. Fields
// of embedded structs are promoted.
func (c *codec) addFields(typ reflect.Type, offset uintptr) error {
	for i := range typ.NumField() {
		sf := typ.Field(i)
		label, tagged := sf.Tag.Lookup(tag)
		if (sf.Anonymous && !tagged || label == inline) && sf.Type.Kind() == reflect.Struct {
			if err := c.addFields(sf.Type, offset+sf.Offset); err != nil {
				return err
			}
			continue
		}
		if label == "-" {
			continue
		}
		name, list, _ := strings.Cut(label, ",")
		options := strings.Split(list, ",")
		has := func(option string) bool { return slices.Contains(options, option) }
		unknown := slices.IndexFunc(options, func(o string) bool { return o != "" && !slices.Contains(known, o) })
		switch {
		case name == "":
			return fmt.Errorf("field %s of %s needs a tag like `dynamo:\"attribute\"`", sf.Name, c.typ)
		case c.byName[name] != nil:
			return fmt.Errorf("%s has attribute %q twice", c.typ, name)
		case unknown >= 0:
			return fmt.Errorf("attribute %q of %s: unknown option %q", name, c.typ, options[unknown])
		}
		v, err := valueOf(sf.Type, c.precision)
		if err != nil {
			return fmt.Errorf("attribute %q of %s: %w", name, c.typ, err)
		}
		switch {
		case has(asSet):
			if v.wire != wireList || sf.Type.Elem().Kind() != reflect.String {
				return fmt.Errorf("attribute %q of %s: only a slice of texts can be stored as a set", name, c.typ)
			}
			v = setValue()
		case has(asJSON):
			if !v.isText {
				return fmt.Errorf("attribute %q of %s: only a text can be stored as JSON", name, c.typ)
			}
			v = jsonValue()
		}
		v.typ = sf.Type
		if has(keepNull) && sf.Type.Kind() != reflect.Pointer && v.wire != wireAny && sf.Type != timeType {
			return fmt.Errorf("attribute %q of %s: only a pointer, JSON or a time can be stored as NULL", name, c.typ)
		}
		if has(keepZero) {
			v.zero = func(unsafe.Pointer) bool { return false }
		}
		f := &field{
			value: v, name: name, offset: offset + sf.Offset, number: len(c.fields),
			keyOnly: has(keyOnly), keepZero: has(keepZero), null: has(keepNull),
		}
		c.fields = append(c.fields, f)
		c.byName[name] = f
	}
	return nil
}

// encodeNested adds the attributes of a struct within an attribute. There, zero values are
// stored; only nil is absent.
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

// decode fills the struct at p from item. It iterates over the fields or the attributes,
// whichever are fewer.
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
