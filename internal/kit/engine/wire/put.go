package wire

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/itemcodec"
)

// Puts is served, in the place of the methods that take items in the SDK's form, when
// the API has it: items are stored from JSON then. What such a method does not take, it
// refuses with [engine.ErrUnusual], and the other serves it.
type Puts interface {
	PutFields(context.Context, *dynamodb.PutItemInput, []itemcodec.Field) (*dynamodb.PutItemOutput, error)
	BatchFields(context.Context, *dynamodb.BatchWriteItemInput, [][]itemcodec.Field) (*dynamodb.BatchWriteItemOutput, error)
	TransactFields(context.Context, *dynamodb.TransactWriteItemsInput, [][]itemcodec.Field) (*dynamodb.TransactWriteItemsOutput, error)
}

func putFields(api API, p Puts) operation {
	return servePuts(api.PutItem, func(ctx context.Context, in *dynamodb.PutItemInput, items [][]itemcodec.Field) (*dynamodb.PutItemOutput, error) {
		if len(items) != 1 {
			return nil, engine.ErrUnusual
		}
		return p.PutFields(ctx, in, items[0])
	})
}

func batchFields(api API, p Puts) operation {
	return servePuts(api.BatchWriteItem, p.BatchFields)
}

func transactFields(api API, p Puts) operation {
	return servePuts(api.TransactWriteItems, p.TransactFields)
}

// servePuts makes an operation of asFields, a method that takes the items of puts as fields, in
// the order in which they stand in the request. What it does not take goes to whole, a
// method of the client, as if nothing had been tried.
func servePuts[I, O any](whole func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error),
	asFields func(context.Context, *I, [][]itemcodec.Field) (*O, error)) operation {
	anything := serve(whole)
	return func(ctx context.Context, body, dst []byte) ([]byte, error) {
		room := putRooms.Get().(*putRoom)
		defer room.release()
		in := new(I)
		room.reader = reader{text: body, puts: room}
		if err := decodeWith(&room.reader, in); err != nil || checkConstraints(in) != nil {
			return anything(ctx, body, dst)
		}
		out, err := asFields(ctx, in, room.items)
		switch {
		case err == engine.ErrUnusual:
			return anything(ctx, body, dst)
		case err != nil:
			return dst, err
		}
		return appendOutput(dst, out), nil
	}
}

// putRoom holds the items of the puts of one request.
type putRoom struct {
	reader reader
	fields []itemcodec.Field
	items  [][]itemcodec.Field // parts of fields
}

var putRooms = sync.Pool{New: func() any { return new(putRoom) }}

// keptFields is how many fields a room may have grown to hold to be used again.
const keptFields = 1000

func (p *putRoom) release() {
	if cap(p.fields) > keptFields {
		return
	}
	clear(p.fields)
	clear(p.items)
	p.reader = reader{}
	p.fields, p.items = p.fields[:0], p.items[:0]
	putRooms.Put(p)
}

// given stands for the items of puts that are read as fields: they are there.
var given = reflect.ValueOf(map[string]types.AttributeValue{})

// decodePutItem reads the item of a put, as fields when the reader has room for them.
func decodePutItem(r *reader, v reflect.Value, at place) error {
	if r.puts == nil {
		return decodeItem(r, v, at)
	}
	if !r.readFields(r.puts) {
		return engine.ErrUnusual
	}
	v.Set(given)
	return nil
}

// readFields reads an item and orders its fields by their names. It reports false when
// any value is not of exactly one known type.
func (r *reader) readFields(room *putRoom) bool {
	if r.peek() != '{' {
		return false
	}
	start := len(room.fields)
	for more := r.enter(); more; more = r.next() {
		f := itemcodec.Field{Name: r.sharedString()}
		r.peek()
		r.pos++ // the colon
		if !r.readField(&f) {
			return false
		}
		room.fields = append(room.fields, f)
	}
	fields := room.fields[start:len(room.fields):len(room.fields)]
	sortFields(fields)
	room.items = append(room.items, fields)
	return true
}

// sortFields orders fields by their names.
func sortFields(fields []itemcodec.Field) {
	slices.SortFunc(fields, func(a, b itemcodec.Field) int { return strings.Compare(a.Name, b.Name) })
}

// readField reads the value of a field.
func (r *reader) readField(f *itemcodec.Field) bool {
	if r.peek() != '{' || !r.enter() {
		return false
	}
	name := r.key()
	switch c := r.peek(); {
	case c == '"' && string(name) == "S":
		f.Form, f.Text = itemcodec.Text, r.sharedString()
	case c == '"' && string(name) == "N":
		f.Form, f.Text = itemcodec.Decimal, r.sharedString()
	case c == 't' && string(name) == "BOOL":
		f.Form = itemcodec.True
		r.skip()
	case c == 'f' && string(name) == "BOOL":
		f.Form = itemcodec.False
		r.skip()
	default:
		v, err := r.readTyped(name)
		if err != nil || v == nil {
			return false
		}
		f.Form, f.Value = itemcodec.Other, v
	}
	return !r.next()
}
