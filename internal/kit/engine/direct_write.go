package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// The writers in this file serve callers inside the process that know their tables,
// as the readers in visit.go do. What is written goes from plain texts straight to
// stored bytes. Rules, limits and errors are those of the requests they stand for.

// WriteKind is what a Write does.
type WriteKind = action

const (
	WritePut    = actionPut
	WriteUpdate = actionUpdate
	WriteDelete = actionDelete
	WriteCheck  = actionCheck
)

// Write is one action on an item. An update is refused when its item is absent.
type Write struct {
	Kind  WriteKind
	Table string
	// Key names the item, but for a put, whose fields do.
	Key Key

	// Exists and Absent are conditions on the item, and so are all of Conditions.
	Exists, Absent bool
	Conditions     []Condition

	// Fields are the whole item of a put, and what an update sets and removes, in
	// the order of their names. The engine may put their numbers into canonical
	// notation where they lie.
	Fields []itemcodec.Field
	// Shifts are made to numbers by an update, to other attributes than those of
	// Fields, each once.
	Shifts []Shift
}

// Condition is in DynamoDB's notation, the placeholders as for expr.Test.
type Condition struct {
	Text   string
	Values []types.AttributeValue
}

// Shift adds to a number, which is 0 when absent. One that would leave less than
// nothing refuses the write as a condition would.
type Shift struct {
	Name string
	By   int64
}

// WriteAll carries out all writes or none, and returns when they are on disk. It fails
// as TransactWriteItems does when it is asked for the items that refuse.
func (e *Engine) WriteAll(ctx context.Context, writes []Write) error {
	effects, err := e.writeDirect(ctx, writes)
	if err == errRefused {
		return cancelled(effects)
	}
	return public(err)
}

// WriteOne carries out one write. It fails as PutItem, UpdateItem and DeleteItem do.
func (e *Engine) WriteOne(ctx context.Context, write Write) error {
	effects, err := e.writeDirect(ctx, []Write{write})
	if err == errRefused {
		err = effects[0].err
	}
	return public(err)
}

func (e *Engine) writeDirect(ctx context.Context, writes []Write) ([]effect, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	if err := checkTransactionLength(len(writes)); err != nil {
		return nil, err
	}
	effects, wait, err := e.applyDirect(ctx, writes)
	if err != nil {
		return effects, err
	}
	return nil, wait()
}

func (e *Engine) applyDirect(ctx context.Context, writes []Write) ([]effect, func() error, error) {
	r := directRooms.Get().(*directRoom)
	defer r.release()
	e.shape.RLock()
	defer e.shape.RUnlock()
	if err := e.judgeDirect(r, writes); err != nil {
		return nil, nil, err
	}
	return e.apply(ctx, r.changes, nil)
}

// directChange is what is asked of an item in a direct write.
type directChange struct {
	*Write
	tests []expr.Test
	// view is what a put stores.
	view itemcodec.View
	// movesEntries says that attributes change that are keys of indexes.
	movesEntries bool
}

// directRoom holds the changes of one call.
type directRoom struct {
	all     []change
	direct  []directChange
	changes []*change
	tests   []expr.Test
	bytes   []byte // places and new items
}

var directRooms = sync.Pool{New: func() any { return new(directRoom) }}

func (r *directRoom) release() {
	if cap(r.bytes) > maxRoom {
		return
	}
	clear(r.all)
	clear(r.direct)
	clear(r.changes)
	clear(r.tests)
	r.bytes = r.bytes[:0]
	directRooms.Put(r)
}

// open makes room for the changes of writes.
func (r *directRoom) open(writes []Write) {
	n, tests := len(writes), 0
	for i := range writes {
		tests += len(writes[i].Conditions)
	}
	r.all = slices.Grow(r.all[:0], n)[:n]
	r.direct = slices.Grow(r.direct[:0], n)[:n]
	r.changes = slices.Grow(r.changes[:0], n)[:n]
	r.tests = slices.Grow(r.tests[:0], tests)[:tests]
}
