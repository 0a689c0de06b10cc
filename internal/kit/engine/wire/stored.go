package wire

import (
	"context"
	"iter"
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/jsonstring"
)

// Visits is an optional interface of an API, used instead of the methods that return items
// in the SDK's form: stored items are then converted directly to JSON.
type Visits interface {
	VisitItem(context.Context, *dynamodb.GetItemInput, engine.Visitor) (*dynamodb.GetItemOutput, error)
	VisitQuery(context.Context, *dynamodb.QueryInput, engine.Visitor) (*dynamodb.QueryOutput, error)
	VisitScan(context.Context, *dynamodb.ScanInput, engine.Visitor) (*dynamodb.ScanOutput, error)
}

// serveStored returns the operation for a method of Visits. isList reports whether its
// output has a list of items, and not at most one.
func serveStored[I, O any](visit func(context.Context, *I, engine.Visitor) (*O, error), isList func(*I) bool) operation {
	return func(ctx context.Context, body, dst []byte) ([]byte, error) {
		in, err := read[I](body)
		if err != nil {
			return dst, err
		}
		p := page{dst: append(dst, '{'), list: isList(in)}
		if p.list {
			p.dst = append(p.dst, `"Items":[`...)
		}
		out, err := visit(ctx, in, p.add)
		if err != nil {
			return p.dst, err
		}
		return p.end(out), nil
	}
}

// page is an output in progress: first the items, then the rest.
type page struct {
	dst   []byte
	list  bool
	items int
}

func (p *page) add(stored itemcodec.View, part engine.Item) (err error) {
	switch {
	case p.items > 0:
		p.dst = append(p.dst, ',')
	case !p.list:
		p.dst = append(p.dst, `"Item":`...)
	}
	p.items++
	if part != nil {
		p.dst = appendItem(p.dst, part)
		return nil
	}
	p.dst, err = appendView(p.dst, stored)
	return err
}

// end appends the members of out, which has no items.
func (p *page) end(out any) []byte {
	if p.list {
		p.dst = append(p.dst, ']')
	}
	return append(appendMembers(p.dst, reflect.ValueOf(out).Elem(), !p.list && p.items == 0), '}')
}

// appendView appends a stored item like appendItem.
func appendView(dst []byte, v itemcodec.View) ([]byte, error) {
	dst, ok := appendPairs(dst, v.All(), v.Len())
	if !ok {
		return dst, itemcodec.ErrCorrupt
	}
	return dst, nil
}

// appendPairs appends an object with the expected number of pairs; ok is false if some of
// them cannot be decoded.
func appendPairs[N string | []byte](dst []byte, pairs iter.Seq2[N, itemcodec.Value], count int) (_ []byte, ok bool) {
	dst = append(dst, '{')
	n, whole := 0, true
	for name, value := range pairs {
		if n > 0 {
			dst = append(dst, ',')
		}
		n++
		dst = append(jsonstring.Append(dst, name), ':')
		var ok bool
		dst, ok = appendStored(dst, value)
		whole = whole && ok
	}
	return append(dst, '}'), whole && n == count
}

// appendStored appends a stored value like appendAttribute; ok is false if some of its
// content cannot be decoded.
func appendStored(dst []byte, v itemcodec.Value) (_ []byte, ok bool) {
	ok = true
	switch v.Kind() {
	case itemcodec.String:
		dst = jsonstring.Append(append(dst, `{"S":`...), v.Bytes())
	case itemcodec.Number:
		dst = jsonstring.Append(append(dst, `{"N":`...), v.Bytes())
	case itemcodec.Binary:
		dst = appendBinary(append(dst, `{"B":`...), v.Bytes())
	case itemcodec.Bool:
		dst = strconv.AppendBool(append(dst, `{"BOOL":`...), v.Bool())
	case itemcodec.Null:
		dst = append(dst, `{"NULL":true`...)
	case itemcodec.Map:
		dst, ok = appendPairs(append(dst, `{"M":`...), v.Entries(), v.Len())
	case itemcodec.List:
		dst, ok = appendElements(append(dst, `{"L":`...), v, appendStored)
	case itemcodec.StringSet:
		dst, ok = appendElements(append(dst, `{"SS":`...), v, appendText)
	case itemcodec.NumberSet:
		dst, ok = appendElements(append(dst, `{"NS":`...), v, appendText)
	case itemcodec.BinarySet:
		dst, ok = appendElements(append(dst, `{"BS":`...), v, appendBytes)
	default:
		return dst, false
	}
	return append(dst, '}'), ok
}

func appendText(dst []byte, v itemcodec.Value) ([]byte, bool) {
	return jsonstring.Append(dst, v.Bytes()), true
}
func appendBytes(dst []byte, v itemcodec.Value) ([]byte, bool) {
	return appendBinary(dst, v.Bytes()), true
}

func appendElements(dst []byte, v itemcodec.Value, appendOne func([]byte, itemcodec.Value) ([]byte, bool)) ([]byte, bool) {
	dst = append(dst, '[')
	n, whole := 0, true
	for e := range v.Elements() {
		if n > 0 {
			dst = append(dst, ',')
		}
		n++
		var ok bool
		dst, ok = appendOne(dst, e)
		whole = whole && ok
	}
	return append(dst, ']'), whole && n == v.Len()
}
