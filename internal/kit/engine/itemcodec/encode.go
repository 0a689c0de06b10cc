package itemcodec

import (
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// Item is an item in the SDK's form.
type Item = map[string]types.AttributeValue

// Kind is the type of an attribute value.
type Kind byte

// The kinds, one for each DynamoDB type. The numbers are part of the storage format.
const (
	String Kind = iota + 1
	Number
	Binary
	Bool
	Null
	List
	Map
	StringSet
	NumberSet
	BinarySet
)

// falseByte encodes a false Bool; Bool itself encodes true.
const falseByte = 11

const (
	version    = 1
	headerSize = 4 // version and size
	lengthSize = 4 // the length in bytes of a list, map or set
)

// Append appends the stored form of item, whose values must be valid: each value one of the
// SDK's ten types, numbers in canonical notation. Names are numbered if d has them; call
// d.Learn first.
func Append(dst []byte, d *Dictionary, item Item) ([]byte, error) {
	e := encoder{dst: appendHeader(dst, value.ItemSize(item), len(item)), names: d.state.Load()}
	var buf [32]string
	for _, name := range sortedNames(item, buf[:0]) {
		e.name(name)
		if err := e.value(item[name]); err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	return e.dst, nil
}

// AppendValue appends the stored form of one value, with names in full.
func AppendValue(dst []byte, v types.AttributeValue) ([]byte, error) {
	e := encoder{dst: dst}
	err := e.value(v)
	return e.dst, err
}

func appendHeader(dst []byte, size, attributes int) []byte {
	dst = append(dst, version, byte(size>>16), byte(size>>8), byte(size))
	return binary.AppendUvarint(dst, uint64(attributes))
}

func sortedNames(item Item, names []string) []string {
	for name := range item {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

type encoder struct {
	dst   []byte
	names *names
}

// A name is an odd number when the dictionary has it, otherwise its length
// doubled, followed by the name.
func (e *encoder) name(name string) {
	if id, known := e.names.byName[name]; known {
		e.dst = binary.AppendUvarint(e.dst, uint64(id)<<1|1)
		return
	}
	e.dst = binary.AppendUvarint(e.dst, uint64(len(name))<<1)
	e.dst = append(e.dst, name...)
}

func (e *encoder) value(v types.AttributeValue) error {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		e.text(String, v.Value)
	case *types.AttributeValueMemberN:
		e.text(Number, v.Value)
	case *types.AttributeValueMemberB:
		e.dst = appendSized(append(e.dst, byte(Binary)), v.Value)
	case *types.AttributeValueMemberBOOL:
		if v.Value {
			e.dst = append(e.dst, byte(Bool))
		} else {
			e.dst = append(e.dst, falseByte)
		}
	case *types.AttributeValueMemberNULL:
		e.dst = append(e.dst, byte(Null))
	case *types.AttributeValueMemberL:
		return e.list(v.Value)
	case *types.AttributeValueMemberM:
		return e.mapping(v.Value)
	case *types.AttributeValueMemberSS:
		e.set(StringSet, v.Value)
	case *types.AttributeValueMemberNS:
		e.set(NumberSet, v.Value)
	case *types.AttributeValueMemberBS:
		e.binaries(v.Value)
	default:
		return fmt.Errorf("itemcodec: %T is no attribute value", v)
	}
	return nil
}

func (e *encoder) text(k Kind, s string) {
	e.dst = appendSized(append(e.dst, byte(k)), s)
}

func (e *encoder) list(values []types.AttributeValue) error {
	at := e.open(List, len(values))
	for _, v := range values {
		if err := e.value(v); err != nil {
			return err
		}
	}
	e.close(at)
	return nil
}

func (e *encoder) mapping(values Item) error {
	at := e.open(Map, len(values))
	var buf [32]string
	for _, name := range sortedNames(values, buf[:0]) {
		e.dst = appendSized(e.dst, name)
		if err := e.value(values[name]); err != nil {
			return err
		}
	}
	e.close(at)
	return nil
}

func (e *encoder) set(k Kind, values []string) {
	at := e.open(k, len(values))
	for _, v := range values {
		e.dst = appendSized(e.dst, v)
	}
	e.close(at)
}

func (e *encoder) binaries(values [][]byte) {
	at := e.open(BinarySet, len(values))
	for _, v := range values {
		e.dst = appendSized(e.dst, v)
	}
	e.close(at)
}

// open starts a value that contains others: kind, space for the length in bytes of what
// follows, number of elements. It returns the position of that length.
func (e *encoder) open(k Kind, elements int) int {
	e.dst = append(e.dst, byte(k), 0, 0, 0, 0)
	at := len(e.dst)
	e.dst = binary.AppendUvarint(e.dst, uint64(elements))
	return at
}

func (e *encoder) close(at int) {
	binary.BigEndian.PutUint32(e.dst[at-lengthSize:], uint32(len(e.dst)-at))
}

func appendSized[T string | []byte](dst []byte, v T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	return append(dst, v...)
}
