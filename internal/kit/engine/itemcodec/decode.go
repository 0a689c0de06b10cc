package itemcodec

import (
	"bytes"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decoder turns stored values into the SDK's form with few allocations: the
// stored bytes are copied once, every text of the result is a part of that
// copy, and the members that hold texts are cut from two slabs.
type decoder struct {
	strings []types.AttributeValueMemberS
	numbers []types.AttributeValueMemberN
	damaged bool
}

// newDecoder makes the slabs as large as the texts among attributes need.
// Texts further in are allocated one by one.
func newDecoder(attributes []attribute) decoder {
	var strings, numbers int
	for _, a := range attributes {
		switch a.value.Kind() {
		case String:
			strings++
		case Number:
			numbers++
		}
	}
	return decoder{
		strings: make([]types.AttributeValueMemberS, 0, strings),
		numbers: make([]types.AttributeValueMemberN, 0, numbers),
	}
}

// textOf returns b as a string without copying. b must be part of the
// decoder's own copy, which is never written to again.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (d *decoder) name(n nameRef) string {
	if n.bytes != nil {
		return textOf(n.bytes)
	}
	return n.known
}

func (d *decoder) value(v Value) types.AttributeValue {
	switch v.Kind() {
	case String:
		return d.stringMember(textOf(v.body))
	case Number:
		return d.numberMember(textOf(v.body))
	case Binary:
		return &types.AttributeValueMemberB{Value: private(v.body)}
	case Bool:
		return &types.AttributeValueMemberBOOL{Value: v.Bool()}
	case Null:
		return &types.AttributeValueMemberNULL{Value: true}
	case List:
		return d.list(v)
	case Map:
		return d.mapping(v)
	case StringSet:
		return &types.AttributeValueMemberSS{Value: d.texts(v)}
	case NumberSet:
		return &types.AttributeValueMemberNS{Value: d.texts(v)}
	case BinarySet:
		return d.binaries(v)
	}
	d.damaged = true
	return nil
}

func (d *decoder) stringMember(s string) types.AttributeValue {
	if len(d.strings) == cap(d.strings) {
		return &types.AttributeValueMemberS{Value: s}
	}
	d.strings = append(d.strings, types.AttributeValueMemberS{Value: s})
	return &d.strings[len(d.strings)-1]
}

func (d *decoder) numberMember(s string) types.AttributeValue {
	if len(d.numbers) == cap(d.numbers) {
		return &types.AttributeValueMemberN{Value: s}
	}
	d.numbers = append(d.numbers, types.AttributeValueMemberN{Value: s})
	return &d.numbers[len(d.numbers)-1]
}

func (d *decoder) list(v Value) types.AttributeValue {
	values := make([]types.AttributeValue, 0, v.Len())
	for e := range v.Elements() {
		values = append(values, d.value(e))
	}
	d.expect(v, len(values))
	return &types.AttributeValueMemberL{Value: values}
}

func (d *decoder) mapping(v Value) types.AttributeValue {
	values := make(Item, v.Len())
	for name, e := range v.Entries() {
		values[textOf(name)] = d.value(e)
	}
	d.expect(v, len(values))
	return &types.AttributeValueMemberM{Value: values}
}

func (d *decoder) texts(v Value) []string {
	values := make([]string, 0, v.Len())
	for e := range v.Elements() {
		values = append(values, textOf(e.body))
	}
	d.expect(v, len(values))
	return values
}

func (d *decoder) binaries(v Value) types.AttributeValue {
	values := make([][]byte, 0, v.Len())
	for e := range v.Elements() {
		values = append(values, private(e.body))
	}
	d.expect(v, len(values))
	return &types.AttributeValueMemberBS{Value: values}
}

func (d *decoder) expect(v Value, elements int) {
	if v.Len() != elements {
		d.damaged = true
	}
}

// private returns a copy that may be written to, and is never nil: a binary may
// be empty but is there.
func private(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }

// own returns v over a copy of its bytes.
func (v View) own() View {
	v.data = bytes.Clone(v.data)
	return v
}
