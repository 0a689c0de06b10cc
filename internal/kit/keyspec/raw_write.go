package keyspec

import (
	"context"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// plain returns the value at p, which must not be absent, without a name.
func (v *value) plain(p unsafe.Pointer) raw.Field {
	switch {
	case v.wire == wireText:
		return raw.Field{Kind: raw.Text, Text: v.format(p)}
	case v.wire == wireNumber:
		return raw.Field{Kind: raw.Number, Text: v.format(p)}
	case v.wire == wireBool && v.truth(p):
		return raw.Field{Kind: raw.True}
	case v.wire == wireBool:
		return raw.Field{Kind: raw.False}
	default:
		return raw.Field{Kind: raw.Other, Value: v.encode(p, nil)}
	}
}

var null = &types.AttributeValueMemberNULL{Value: true}

// absent returns the representation of a field without a value.
func (f *field) absent() raw.Field {
	if f.null {
		return raw.Field{Kind: raw.Other, Value: null}
	}
	return raw.Field{}
}

// stored returns the value of the field in the struct at p, without a name.
func (f *field) stored(p unsafe.Pointer) raw.Field {
	if at := f.at(p); !f.zero(at) {
		return f.plain(at)
	}
	return f.absent()
}

// sdkValue returns the value of a field in the SDK's form, or nil if it is removed.
func sdkValue(f *raw.Field, s *slab) types.AttributeValue {
	switch f.Kind {
	case raw.Text:
		return s.text(f.Text)
	case raw.Number:
		return &types.AttributeValueMemberN{Value: f.Text}
	case raw.True, raw.False:
		return &types.AttributeValueMemberBOOL{Value: f.Kind == raw.True}
	case raw.Other:
		return f.Value
	default:
		return nil
	}
}

// sendRaw executes the writes of planned actions. Single writes that can safely be repeated
// are reported as their equivalent SDK operation.
func (tx *Tx) sendRaw(ctx context.Context, actions []*action) (err error) {
	w := rawWriters.Get().(*rawWriter)
	defer w.release()
	for _, a := range actions {
		w.add(a, *tx.db.name(a.row.table))
	}
	if len(w.writes) > 1 || !actions[0].isPlain() {
		done := tx.db.observe(ctx, "TransactWriteItems", w.tables...)
		defer func() { done(err) }()
		return tx.db.raw.WriteAll(ctx, w.writes)
	}
	operation := "PutItem"
	if actions[0].kind == remove {
		operation = "DeleteItem"
	}
	done := tx.db.observe(ctx, operation, w.tables...)
	defer func() { done(err) }()
	return tx.db.raw.WriteOne(ctx, w.writes[0])
}

// rawWriter holds the writes of one call.
type rawWriter struct {
	writes     []raw.Write
	tables     []string
	conditions []raw.Condition
}

var rawWriters = sync.Pool{New: func() any { return new(rawWriter) }}

// release returns the writer to the pool without its contents.
func (w *rawWriter) release() {
	clear(w.writes)
	clear(w.conditions)
	w.writes, w.tables, w.conditions = w.writes[:0], w.tables[:0], w.conditions[:0]
	rawWriters.Put(w)
}

func (w *rawWriter) add(a *action, table string) {
	conditions := len(w.conditions)
	for _, t := range a.tests {
		w.conditions = append(w.conditions, raw.Condition{Text: t.raw, Values: t.values})
	}
	w.tables = append(w.tables, table)
	w.writes = append(w.writes, raw.Write{
		Action: a.plan.kind, Table: table, Key: raw.Key{Hash: a.key.pk, Sort: a.key.sk},
		Exists: a.exists || a.kind == update, Absent: a.absent, Conditions: w.conditions[conditions:],
		Fields: a.plan.fields, Shifts: a.plan.shifts,
	})
}
