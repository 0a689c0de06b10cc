package itemcodec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrCorrupt is the error for stored bytes that are not an item. Callers wrap it with the
// location.
var ErrCorrupt = errors.New("itemcodec: stored item is damaged")

// View is a stored item read in place. The zero View is an absent item.
type View struct {
	names *names
	bytes []byte // the whole item, with a valid header
}

// Open returns a view of data, which must not change while the view is in use. Only the
// header is checked; damage elsewhere is noticed as an absent attribute or, in Item, as
// ErrCorrupt.
func Open(d *Dictionary, data []byte) (View, error) {
	// The dictionary is loaded after the bytes were read, so it has every name in them.
	return openWith(d.state.Load(), data)
}

func openWith(names *names, data []byte) (View, error) {
	if len(data) < headerSize+1 || data[0] != version {
		return View{}, ErrCorrupt
	}
	count, n := binary.Uvarint(data[headerSize:])
	if n <= 0 || count > uint64(len(data)) {
		return View{}, ErrCorrupt
	}
	return View{names, data}, nil
}

// attributes returns the number of attributes of v, and their concatenated stored forms.
func (v View) attributes() (count int, data []byte) {
	if !v.Exists() {
		return 0, nil
	}
	n, used := binary.Uvarint(v.bytes[headerSize:])
	return int(n), v.bytes[headerSize+used:]
}

// Reopen returns a view of other bytes from the same table.
func (v View) Reopen(data []byte) (View, error) {
	return openWith(v.names, data)
}

// Bytes returns the bytes of the view.
func (v View) Bytes() []byte { return v.bytes }

// Exists reports whether there is an item: an absent one has no attributes, a stored one
// has at least its key.
func (v View) Exists() bool { return v.names != nil }

// Size returns the item's size in bytes as counted by DynamoDB.
func (v View) Size() int {
	if !v.Exists() {
		return 0
	}
	return int(v.bytes[1])<<16 | int(v.bytes[2])<<8 | int(v.bytes[3])
}

// Len returns the number of attributes.
func (v View) Len() int {
	count, _ := v.attributes()
	return count
}

// All yields the attributes sorted by name.
func (v View) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, rest := v.attributes(); len(rest) > 0; {
			name, val, next, ok := v.attribute(rest)
			if !ok || !yield(name.text(), val) {
				return
			}
			rest = next
		}
	}
}

// Get returns the attribute called name. It does not allocate.
func (v View) Get(name string) (Value, bool) {
	for _, rest := v.attributes(); len(rest) > 0; {
		n, val, next, ok := v.attribute(rest)
		if !ok {
			break
		}
		if n.is(name) {
			return val, true
		}
		rest = next
	}
	return Value{}, false
}

// Attribute returns the attribute called name in the SDK's form, or nil. Evaluating
// expressions on a View with it decodes only the attributes that they use.
func (v View) Attribute(name string) types.AttributeValue {
	val, ok := v.Get(name)
	if !ok {
		return nil
	}
	return val.SDK()
}

// nameRef is a name that is either in the dictionary or stored in full.
type nameRef struct {
	known string
	bytes []byte
}

func (n nameRef) text() string {
	if n.bytes != nil {
		return string(n.bytes)
	}
	return n.known
}

// inPlace returns the text without copying: it may share the stored bytes.
func (n nameRef) inPlace() string {
	if n.bytes != nil {
		return textOf(n.bytes)
	}
	return n.known
}

func (n nameRef) is(name string) bool { return n.inPlace() == name }

// attribute splits data into the first attribute and the rest.
func (v View) attribute(data []byte) (name nameRef, val Value, rest []byte, ok bool) {
	id, spelled, val, rest, ok := v.names.entry(data)
	if !ok {
		return name, val, nil, false
	}
	if name.bytes = spelled; spelled == nil {
		name.known = v.names.byID[id]
	}
	return name, val, rest, true
}

// entry splits data into the first attribute and the rest. Its name is the number id, or
// spelled if that is not nil.
func (n *names) entry(data []byte) (id int, spelled []byte, val Value, rest []byte, ok bool) {
	tag, used := binary.Uvarint(data)
	if used <= 0 {
		return 0, nil, val, nil, false
	}
	data = data[used:]
	if tag&1 == 1 {
		if tag>>1 >= uint64(len(n.byID)) {
			return 0, nil, val, nil, false
		}
		id = int(tag >> 1)
	} else {
		if tag>>1 > uint64(len(data)) {
			return 0, nil, val, nil, false
		}
		spelled, data = data[:tag>>1:tag>>1], data[tag>>1:]
	}
	val, rest, ok = takeValue(data)
	return id, spelled, val, rest, ok
}

// Item decodes the whole item to the SDK's form. It shares no memory with the view. For
// many items, a Decoder is cheaper.
func (v View) Item() (Item, error) {
	var d Decoder
	return d.Item(v)
}

// AppendProjection appends the stored form of an item with only those attributes of v that
// are in names.
func AppendProjection(dst []byte, v View, names map[string]bool) ([]byte, error) {
	at := len(dst)
	dst = reserveHeader(dst)
	size, count := 0, 0
	for _, rest := v.attributes(); len(rest) > 0; {
		name, val, next, ok := v.attribute(rest)
		if !ok {
			return nil, fmt.Errorf("projecting: %w", ErrCorrupt)
		}
		if names[name.inPlace()] {
			dst = append(dst, rest[:len(rest)-len(next)]...)
			size += name.len() + val.Size()
			count++
		}
		rest = next
	}
	return putHeader(dst, at, size, count), nil
}
