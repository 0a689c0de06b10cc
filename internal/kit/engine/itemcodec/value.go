package itemcodec

import (
	"bytes"
	"encoding/binary"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Value is a stored attribute value read in place.
type Value struct {
	kind byte
	body []byte // text, binary, or the content of a list, map or set
}

// Kind returns the value's type.
func (v Value) Kind() Kind {
	if v.kind == falseByte {
		return Bool
	}
	return Kind(v.kind)
}

// Bytes returns the bytes of a String, a Number (its canonical text) or a Binary, which
// belong to the view; nil for other kinds.
func (v Value) Bytes() []byte {
	switch v.Kind() {
	case String, Number, Binary:
		return v.body
	}
	return nil
}

// Bool returns the value of a Bool.
func (v Value) Bool() bool { return v.kind == byte(Bool) }

// Elements yields the elements of a List or a set, in stored order.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		element, isSet := elementKind(v.Kind())
		if !isSet && v.Kind() != List {
			return
		}
		_, rest := v.elements()
		for len(rest) > 0 {
			var val Value
			var ok bool
			if isSet {
				val.kind = byte(element)
				val.body, rest, ok = takeSized(rest)
			} else {
				val, rest, ok = takeValue(rest)
			}
			if !ok || !yield(val) {
				return
			}
		}
	}
}

// Entries yields the entries of a Map in the order of their names, which are
// bytes of the view.
func (v Value) Entries() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind() != Map {
			return
		}
		_, rest := v.elements()
		for len(rest) > 0 {
			name, next, ok := takeSized(rest)
			if !ok {
				return
			}
			val, next, ok := takeValue(next)
			if !ok || !yield(name, val) {
				return
			}
			rest = next
		}
	}
}

// Len returns the number of elements of a List, Map or set, and 0 for other
// kinds.
func (v Value) Len() int {
	switch v.Kind() {
	case List, Map, StringSet, NumberSet, BinarySet:
		n, _ := v.elements()
		return n
	}
	return 0
}

// The sizes that DynamoDB counts for a list or map, and for each of its elements.
const (
	containerSize = 3
	elementSize   = 1
)

// Size returns the size of the value in bytes as counted by DynamoDB.
func (v Value) Size() (n int) {
	switch v.Kind() {
	case String, Binary:
		return len(v.body)
	case Number:
		return value.NumberSize(textOf(v.body))
	case Bool, Null:
		return 1
	case Map:
		n = containerSize
		for name, e := range v.Entries() {
			n += elementSize + len(name) + e.Size()
		}
	case List:
		n = containerSize
		for e := range v.Elements() {
			n += elementSize + e.Size()
		}
	case StringSet, NumberSet, BinarySet:
		for e := range v.Elements() {
			n += e.Size()
		}
	}
	return n
}

// Equal reports whether two values have the same stored form. Equal values do, except sets
// in different orders.
func (v Value) Equal(w Value) bool { return v.kind == w.kind && bytes.Equal(v.body, w.body) }

// SDK decodes the value. It shares no memory with the view. Damaged contents of a list, map
// or set are omitted.
func (v Value) SDK() types.AttributeValue {
	var d Decoder
	if v.kind != byte(Binary) { // copied by the decoder
		v.body = bytes.Clone(v.body)
	}
	return d.value(v)
}

// elementKind returns the kind of a set's elements.
func elementKind(set Kind) (Kind, bool) {
	switch set {
	case StringSet:
		return String, true
	case NumberSet:
		return Number, true
	case BinarySet:
		return Binary, true
	}
	return 0, false
}

// elements splits the body of a list, map or set into the number of elements and the rest.
func (v Value) elements() (count int, rest []byte) {
	n, used := binary.Uvarint(v.body)
	if used <= 0 || n > uint64(len(v.body)) {
		return 0, nil
	}
	return int(n), v.body[used:]
}

// takeValue splits data into the first value and the rest.
func takeValue(data []byte) (v Value, rest []byte, ok bool) {
	if len(data) == 0 {
		return v, nil, false
	}
	v.kind, data = data[0], data[1:]
	switch v.Kind() {
	case String, Number, Binary:
		v.body, rest, ok = takeSized(data)
		return v, rest, ok
	case Bool, Null:
		return v, data, true
	case List, Map, StringSet, NumberSet, BinarySet:
		if len(data) < lengthSize {
			return v, nil, false
		}
		n := uint64(binary.BigEndian.Uint32(data))
		data = data[lengthSize:]
		if n > uint64(len(data)) {
			return v, nil, false
		}
		v.body = data[:n:n]
		return v, data[n:], true
	}
	return v, nil, false
}

func takeSized(data []byte) (value, rest []byte, ok bool) {
	n, used := binary.Uvarint(data)
	if used <= 0 || n > uint64(len(data)-used) {
		return nil, nil, false
	}
	data = data[used:]
	return data[:n:n], data[n:], true
}
