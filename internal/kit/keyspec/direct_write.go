package keyspec

import (
	"context"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DirectWrite is one action of a transaction.
type DirectWrite struct {
	Kind  DirectAction
	Table string
	Key   DirectKey
	// Exists and Absent are conditions on the item, and so are all of Conditions. An
	// update requires its item in any case.
	Exists, Absent bool
	Conditions     []DirectCondition
	// Fields are what a put stores, with all keys, and what an update sets or removes,
	// in the order of their names.
	Fields []DirectField
	// Shifts are made to numbers by an update. One that would leave less than nothing
	// refuses it as a condition would.
	Shifts []DirectShift
}

// DirectAction is what a DirectWrite does.
type DirectAction uint8

const (
	DirectCheck DirectAction = iota
	DirectPut
	DirectUpdate
	DirectDelete
)

// DirectField is an attribute with its value: in Text where the kind has one, in Value
// for DirectOther.
type DirectField struct {
	Name  string
	Kind  DirectKind
	Text  string
	Value types.AttributeValue
}

// DirectCondition is a condition in DynamoDB's notation. The placeholder of each
// attribute is its name with # in front; values are :0, :1, … in the order given.
type DirectCondition struct {
	Text   string
	Values []types.AttributeValue
}

// DirectShift adds to a number that is 0 when absent.
type DirectShift struct {
	Attribute string
	By        int
}

// plain returns the value at p, which is not absent, without a name.
func (v *value) plain(p unsafe.Pointer) DirectField {
	switch {
	case v.wire == wireText:
		return DirectField{Kind: DirectText, Text: v.format(p)}
	case v.wire == wireNumber:
		return DirectField{Kind: DirectNumber, Text: v.format(p)}
	case v.wire == wireBool && v.truth(p):
		return DirectField{Kind: DirectTrue}
	case v.wire == wireBool:
		return DirectField{Kind: DirectFalse}
	default:
		return DirectField{Kind: DirectOther, Value: v.encode(p, nil)}
	}
}

// sdk returns the value as the SDK has it, nil when it is absent.
func (f *DirectField) sdk(s *slab) types.AttributeValue {
	switch f.Kind {
	case DirectText:
		return s.text(f.Text)
	case DirectNumber:
		return &types.AttributeValueMemberN{Value: f.Text}
	case DirectTrue, DirectFalse:
		return &types.AttributeValueMemberBOOL{Value: f.Kind == DirectTrue}
	case DirectOther:
		return f.Value
	default:
		return nil
	}
}

// sendDirect makes the writes of actions that were planned. Lone ones that may safely
// be repeated are known by the operation they would be otherwise.
func (tx *Tx) sendDirect(ctx context.Context, actions []*action) (err error) {
	w := directWriters.Get().(*directWriter)
	defer w.release()
	for _, a := range actions {
		w.add(a, *tx.db.name(a.row.table))
	}
	if len(w.writes) > 1 || !actions[0].isPlain() {
		done := tx.db.observe(ctx, "TransactWriteItems", w.tables...)
		defer func() { done(err) }()
		return tx.db.direct.Transact(ctx, w.writes)
	}
	operation := "PutItem"
	if actions[0].kind == remove {
		operation = "DeleteItem"
	}
	done := tx.db.observe(ctx, operation, w.tables...)
	defer func() { done(err) }()
	return tx.db.direct.Write(ctx, w.writes[0])
}

// directWriter holds the writes of one call.
type directWriter struct {
	writes     []DirectWrite
	tables     []string
	conditions []DirectCondition
	shifts     []DirectShift
}

var directWriters = sync.Pool{New: func() any { return new(directWriter) }}

// release gives the writer back, without what it held.
func (w *directWriter) release() {
	clear(w.writes)
	clear(w.conditions)
	w.writes, w.tables, w.conditions, w.shifts = w.writes[:0], w.tables[:0], w.conditions[:0], w.shifts[:0]
	directWriters.Put(w)
}

func (w *directWriter) add(a *action, table string) {
	conditions, shifts := len(w.conditions), len(w.shifts)
	for _, t := range a.tests {
		w.conditions = append(w.conditions, DirectCondition{t.direct, t.values})
	}
	for _, s := range a.plan.shifts {
		w.shifts = append(w.shifts, DirectShift{s.attribute, s.by})
	}
	w.tables = append(w.tables, table)
	w.writes = append(w.writes, DirectWrite{
		Kind: directActions[a.plan.kind], Table: table, Key: DirectKey{a.key.pk, a.key.sk},
		Exists: a.exists || a.kind == update, Absent: a.absent, Conditions: w.conditions[conditions:],
		Fields: a.plan.fields, Shifts: w.shifts[shifts:],
	})
}

var directActions = [...]DirectAction{check: DirectCheck, put: DirectPut, update: DirectUpdate, remove: DirectDelete}
