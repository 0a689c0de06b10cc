package itemcodec

import (
	"encoding/binary"
	"errors"
	"slices"

	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// ErrFields is the error for fields that are not sorted by name or not distinct.
var ErrFields = errors.New("itemcodec: fields are not in the order of their names")

// AppendFields appends the stored form of an item, like Append. The fields must be sorted
// by name and not Removed.
func AppendFields(dst []byte, d *Dictionary, fields []raw.Field) ([]byte, error) {
	at := len(dst)
	e := encoder{dst: reserveHeader(dst), names: d.state.Load()}
	size := 0
	for i := range fields {
		f := &fields[i]
		if i > 0 && f.Name <= fields[i-1].Name {
			return nil, ErrFields
		}
		n, err := e.field(f)
		if err != nil {
			return nil, err
		}
		size += n
	}
	return putHeader(e.dst, at, size, len(fields)), nil
}

// Patch appends the stored form of v with changes, which must be sorted by name. Unchanged
// parts are copied in stored form. A Removed attribute may be absent.
func Patch(dst []byte, d *Dictionary, v View, changes []raw.Field) ([]byte, error) {
	at := len(dst)
	e := encoder{dst: reserveHeader(dst), names: d.state.Load()}
	count, rest := v.attributes()
	size := v.Size()
	put := func(f *raw.Field) error {
		if f.Kind == raw.Removed {
			return nil
		}
		n, err := e.field(f)
		size += n
		count++
		return err
	}
	next, from := 0, rest // from is the start of the unchanged run
	for len(rest) > 0 && next < len(changes) {
		name, old, after, ok := v.attribute(rest)
		if !ok {
			return nil, ErrCorrupt
		}
		order := name.compare(changes[next].Name)
		if order < 0 {
			rest = after
			continue
		}
		e.dst = append(e.dst, from[:len(from)-len(rest)]...)
		if from = rest; order == 0 {
			size -= name.len() + old.Size()
			count--
			from, rest = after, after
		}
		if err := put(&changes[next]); err != nil {
			return nil, err
		}
		if next++; next < len(changes) && changes[next].Name <= changes[next-1].Name {
			return nil, ErrFields
		}
	}
	e.dst = append(e.dst, from...)
	for ; next < len(changes); next++ {
		if next > 0 && changes[next].Name <= changes[next-1].Name {
			return nil, ErrFields
		}
		if err := put(&changes[next]); err != nil {
			return nil, err
		}
	}
	return putHeader(e.dst, at, size, count), nil
}

// field appends a name and its value, and returns their size as counted by DynamoDB.
func (e *encoder) field(f *raw.Field) (size int, err error) {
	e.name(f.Name)
	switch f.Kind {
	case raw.Text:
		e.text(String, f.Text)
		size = len(f.Text)
	case raw.Number:
		e.text(Number, f.Text)
		size = value.NumberSize(f.Text)
	case raw.True:
		e.dst = append(e.dst, byte(Bool))
		size = 1
	case raw.False:
		e.dst = append(e.dst, falseByte)
		size = 1
	default: // Removed, which is invalid
		err = e.value(f.Value)
		size = value.Size(f.Value)
	}
	return len(f.Name) + size, err
}

// usualHeader is the length of a header with less than 128 attributes.
const usualHeader = headerSize + 1

// reserveHeader reserves space for the output of putHeader.
func reserveHeader(dst []byte) []byte { return append(dst, make([]byte, usualHeader)...) }

// putHeader writes the header of an item whose attributes have been appended after the
// space reserved at at.
func putHeader(dst []byte, at, size, count int) []byte {
	var buf [headerSize + binary.MaxVarintLen64]byte
	header := appendHeader(buf[:0], size, count)
	if more := len(header) - usualHeader; more > 0 {
		dst = slices.Insert(dst, at, make([]byte, more)...)
	}
	copy(dst[at:], header)
	return dst
}

// compare compares n and name bytewise, like the order of attributes.
func (n nameRef) compare(name string) int {
	known := n.known
	if n.bytes != nil {
		known = textOf(n.bytes)
	}
	switch {
	case known == name:
		return 0
	case known < name:
		return -1
	}
	return 1
}

func (n nameRef) len() int { return max(len(n.known), len(n.bytes)) }
