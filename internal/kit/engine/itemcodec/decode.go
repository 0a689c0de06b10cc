package itemcodec

import (
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decoder decodes stored items to the SDK's form, with few allocations per page. The zero
// Decoder is ready for use, but not concurrently.
//
// Its results share no memory with views and belong to the caller: items share nothing that
// can be modified. The texts of an item are substrings of one string, and the members that
// hold texts, numbers, bools and lists are allocated in blocks. Retaining a value therefore
// retains its item, and a few small items decoded with it.
type Decoder struct {
	strings  slab[types.AttributeValueMemberS]
	numbers  slab[types.AttributeValueMemberN]
	bools    slab[types.AttributeValueMemberBOOL]
	lists    slab[types.AttributeValueMemberL]
	elements slab[types.AttributeValue] // of lists
	damaged  bool
}

const (
	// loneItem is the size in bytes from which an item shares no allocation with others.
	loneItem = 2 << 10
	// usualNumbers is a number of numbers that few items exceed.
	usualNumbers = 4
)

// Item decodes a whole item, nil if it is absent.
func (d *Decoder) Item(v View) (Item, error) {
	if !v.Exists() {
		return nil, nil
	}
	count, data := v.attributes()
	return d.item(v.names, append([]byte(nil), data...), count)
}

// Pick decodes those attributes in names that the item has. It returns nil if the item is
// absent. Sorted names are found fastest.
func (d *Decoder) Pick(v View, names []string) (Item, error) {
	if !v.Exists() {
		return nil, nil
	}
	if !slices.IsSorted(names) {
		names = slices.Sorted(slices.Values(names))
	}
	var picked []byte
	all, rest := v.attributes()
	count := 0
	for range all {
		name, _, next, ok := v.attribute(rest)
		if !ok {
			return nil, ErrCorrupt
		}
		for len(names) > 0 && names[0] < name.inPlace() {
			names = names[1:]
		}
		if len(names) > 0 && name.is(names[0]) {
			picked = append(picked, rest[:len(rest)-len(next)]...)
			count++
		}
		rest = next
	}
	if len(rest) != 0 {
		return nil, ErrCorrupt
	}
	return d.item(v.names, picked, count)
}

// item decodes count attributes. Texts are substrings of data, which must not be modified.
func (d *Decoder) item(names *names, data []byte, count int) (Item, error) {
	if len(data) > loneItem {
		d = &Decoder{}
	}
	d.begin(count)
	item := make(Item, count)
	for range count {
		var name string
		var member types.AttributeValue
		if isShort(data, len(names.byID)) {
			end := 3 + int(data[2])
			name, member = names.byID[data[0]>>1], d.text(Kind(data[1]), data[3:end])
			data = data[end:]
		} else {
			id, spelled, val, rest, ok := names.entry(data)
			if !ok {
				return nil, ErrCorrupt
			}
			if name = textOf(spelled); spelled == nil {
				name = names.byID[id]
			}
			member, data = d.value(val), rest
		}
		item[name] = member
	}
	if d.damaged || len(data) != 0 {
		return nil, ErrCorrupt
	}
	return item, nil
}

// begin prepares for an item with n attributes.
func (d *Decoder) begin(attributes int) {
	d.damaged = false
	if d.strings.next == 0 {
		d.strings.next, d.numbers.next = min(attributes, maxSlab), min(attributes, usualNumbers)
	}
}

// textOf returns b as a string without copying; b must not be modified.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Value decodes a value whose bytes never change: texts share them. Damaged contents of a
// list, map or set are omitted.
func (d *Decoder) Value(v Value) types.AttributeValue { return d.value(v) }

// value decodes v. Texts share its bytes.
func (d *Decoder) value(v Value) types.AttributeValue {
	switch v.Kind() {
	case String, Number:
		return d.text(v.Kind(), v.body)
	case Binary:
		return &types.AttributeValueMemberB{Value: private(v.body)}
	case Bool:
		m := d.bools.one()
		m.Value = v.Bool()
		return m
	case Null:
		return &types.AttributeValueMemberNULL{Value: true}
	case List:
		return d.list(v)
	case Map:
		return d.mapping(v)
	case StringSet:
		return &types.AttributeValueMemberSS{Value: d.set(v)}
	case NumberSet:
		return &types.AttributeValueMemberNS{Value: d.set(v)}
	case BinarySet:
		return d.binaries(v)
	}
	d.damaged = true
	return nil
}

// text decodes a String or a Number.
func (d *Decoder) text(kind Kind, b []byte) types.AttributeValue {
	if kind == String {
		m := d.strings.one()
		m.Value = textOf(b)
		return m
	}
	m := d.numbers.one()
	m.Value = textOf(b)
	return m
}

// isShort reports whether data starts with the usual form of attribute, whose parts are
// easily found: a numbered name, a String or a Number, and a text, with one byte for the
// name, the kind and the length.
func isShort(data []byte, names int) bool {
	return len(data) >= 3 && data[0]&1 == 1 && data[0]|data[2] < 0x80 && int(data[0]>>1) < names &&
		data[1]-byte(String) <= byte(Number-String) && int(data[2]) <= len(data)-3
}

func (d *Decoder) list(v Value) types.AttributeValue {
	m := d.lists.one()
	m.Value = d.elements.take(v.Len())
	n := 0
	for e := range v.Elements() {
		if n < len(m.Value) {
			m.Value[n] = d.value(e)
		}
		n++
	}
	m.Value = m.Value[:min(n, len(m.Value))]
	d.check(v, n)
	return m
}

func (d *Decoder) mapping(v Value) types.AttributeValue {
	values := make(Item, v.Len())
	for name, e := range v.Entries() {
		values[textOf(name)] = d.value(e)
	}
	d.check(v, len(values))
	return &types.AttributeValueMemberM{Value: values}
}

func (d *Decoder) set(v Value) []string {
	values := make([]string, 0, v.Len())
	for e := range v.Elements() {
		values = append(values, textOf(e.body))
	}
	d.check(v, len(values))
	return values
}

func (d *Decoder) binaries(v Value) types.AttributeValue {
	values := make([][]byte, 0, v.Len())
	for e := range v.Elements() {
		values = append(values, private(e.body))
	}
	d.check(v, len(values))
	return &types.AttributeValueMemberBS{Value: values}
}

// check records an error if v does not have the declared number of elements.
func (d *Decoder) check(v Value, elements int) {
	if v.Len() != elements {
		d.damaged = true
	}
}

// private returns a mutable copy, which is never nil: a binary may be empty but not absent.
func private(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }
