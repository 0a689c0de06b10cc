package embedded

import (
	"context"
	"slices"
	"sync"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/keyspec"
)

// Transact makes all writes or none.
func (c Client) Transact(ctx context.Context, writes []keyspec.DirectWrite) error {
	r := rooms.Get().(*room)
	defer r.release()
	return c.WriteAll(ctx, r.take(writes))
}

// Write makes one write.
func (c Client) Write(ctx context.Context, w keyspec.DirectWrite) error {
	r := rooms.Get().(*room)
	defer r.release()
	return c.WriteOne(ctx, r.take([]keyspec.DirectWrite{w})[0])
}

// room holds the writes of one call as the engine takes them.
type room struct {
	writes     []engine.Write
	fields     []itemcodec.Field
	conditions []engine.Condition
	shifts     []engine.Shift
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// maxFields is how much room for fields is kept.
const maxFields = 512

// release gives the room back, without what it held.
func (r *room) release() {
	if cap(r.fields) > maxFields {
		return
	}
	clear(r.writes)
	clear(r.fields)
	clear(r.conditions)
	rooms.Put(r)
}

func (r *room) take(writes []keyspec.DirectWrite) []engine.Write {
	var fields, conditions, shifts int
	for i := range writes {
		fields += len(writes[i].Fields)
		conditions += len(writes[i].Conditions)
		shifts += len(writes[i].Shifts)
	}
	r.writes = slices.Grow(r.writes[:0], len(writes))[:len(writes)]
	r.fields = slices.Grow(r.fields[:0], fields)
	r.conditions = slices.Grow(r.conditions[:0], conditions)
	r.shifts = slices.Grow(r.shifts[:0], shifts)
	for i := range writes {
		r.takeOne(&r.writes[i], &writes[i])
	}
	return r.writes
}

func (r *room) takeOne(to *engine.Write, w *keyspec.DirectWrite) {
	fields, conditions, shifts := len(r.fields), len(r.conditions), len(r.shifts)
	for i := range w.Fields {
		f := &w.Fields[i]
		r.fields = append(r.fields, itemcodec.Field{Name: f.Name, Form: forms[f.Kind], Text: f.Text, Value: f.Value})
	}
	for _, c := range w.Conditions {
		r.conditions = append(r.conditions, engine.Condition(c))
	}
	for _, s := range w.Shifts {
		r.shifts = append(r.shifts, engine.Shift{Name: s.Attribute, By: int64(s.By)})
	}
	*to = engine.Write{
		Kind: kinds[w.Kind], Table: w.Table, Key: engine.Key{Hash: w.Key.PK, Sort: w.Key.SK}, Exists: w.Exists, Absent: w.Absent,
		Fields: r.fields[fields:], Conditions: r.conditions[conditions:], Shifts: r.shifts[shifts:],
	}
}

var kinds = [...]engine.WriteKind{
	keyspec.DirectCheck: engine.WriteCheck, keyspec.DirectPut: engine.WritePut,
	keyspec.DirectUpdate: engine.WriteUpdate, keyspec.DirectDelete: engine.WriteDelete,
}

var forms = [...]itemcodec.Form{
	keyspec.DirectAbsent: itemcodec.Removed, keyspec.DirectText: itemcodec.Text, keyspec.DirectNumber: itemcodec.Decimal,
	keyspec.DirectTrue: itemcodec.True, keyspec.DirectFalse: itemcodec.False, keyspec.DirectOther: itemcodec.Other,
}
