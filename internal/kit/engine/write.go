package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// A write request becomes a list of changes, at most one per item. apply locks
// the items, lets each change decide on the item as it is, and commits what
// they decided in one batch: all or nothing, tables and indexes together.

// action is what a change does to its item.
type action int

const (
	actionPut action = iota
	actionUpdate
	actionDelete
	actionCheck // only looks at its condition
)

// change is one write to one item.
type change struct {
	action action
	table  *table
	// key is the item's key, or for a put the whole item.
	key     Item
	program *expr.Program // condition and update
	// oldOnFailure asks for the item when the condition does not hold.
	oldOnFailure bool
	// fault is what is wrong with a put by the table's schema. A transaction
	// names it as a reason of its cancellation, other requests fail at once.
	fault error
	// keepOld asks for the item as it was before the change.
	keepOld bool

	place  []byte // where the item is stored
	stripe int
}

// effect is what a change did.
type effect struct {
	// err is why the change was refused: its condition did not hold, or the
	// update does not fit the item as it is.
	err error
	// old is the item before the change, if it existed and was asked for; new is
	// the item after an update.
	old, new Item
	units    units
}

// newChange places a change whose key was judged before.
func newChange(a action, t *table, key Item, p *expr.Program) (*change, error) {
	place, ok := appendKey(make([]byte, 0, 96), &t.relation, given(key))
	if !ok {
		return nil, errKeySchema()
	}
	return &change{action: a, table: t, key: key, program: p, place: place, stripe: stripeOf(place)}, nil
}

// errRefused says that at least one change was refused and nothing was written.
var errRefused = errors.New("engine: a change was refused")

// apply carries out changes. It returns their effects in order; when the error
// is errRefused the effects tell which changes were refused and why. The
// caller holds e.shape for reading. wait returns when what was applied is on
// disk; it must be called once, after the caller has let go of e.shape. token
// may be nil; when it was used before, the error says so and nothing is done.
func (e *Engine) apply(ctx context.Context, changes []*change, token *token) (effects []effect, wait func() error, err error) {
	wanted := make([]int, len(changes), len(changes)+1)
	for i, c := range changes {
		wanted[i] = c.stripe
	}
	if token != nil {
		wanted = append(wanted, token.stripe)
	}
	held := e.stripes.lock(wanted)
	defer e.stripes.unlock(held)

	w := writer{engine: e, batch: e.db.NewBatch()}
	defer w.release()
	if token != nil {
		if err := e.useToken(w.batch, token); err != nil {
			return nil, nil, err
		}
	}
	effects = make([]effect, len(changes))
	refused := false
	for i, c := range changes {
		if effects[i], err = w.carryOut(c); err != nil {
			return nil, nil, err
		}
		refused = refused || effects[i].err != nil
	}
	if refused {
		return effects, nil, errRefused
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	wait, err = w.commit()
	return effects, wait, err
}

// writer gathers the outcome of changes in one batch.
type writer struct {
	engine *Engine
	batch  *pebble.Batch
	counts []countShift
	open   []io.Closer // what keeps the items read in place valid
	item   []byte      // room for the new item
	key    [2][]byte   // room for old and new index keys
	entry  [2][]byte   // room for old and new index entries
}

func (w *writer) release() {
	for _, c := range w.open {
		c.Close()
	}
	if w.batch != nil {
		w.batch.Close()
	}
}

// commit applies the batch. From then on others see it and may build on it;
// what they write comes later in the log, so it cannot survive a crash that
// this does not. The returned function waits for the log to be on disk, which
// one sync does for all who wait.
func (w *writer) commit() (wait func() error, err error) {
	batch := w.batch
	if batch.Empty() {
		return func() error { return nil }, nil
	}
	for _, shift := range w.counts {
		if !shift.due() {
			continue
		}
		if err := shift.counts.save(batch, shift); err != nil {
			return nil, err
		}
	}
	w.engine.stale.writing(w.engine.db)
	if err := w.engine.db.ApplyNoSyncWait(batch, pebble.Sync); err != nil {
		return nil, fmt.Errorf("engine: write: %w", err)
	}
	w.batch = nil
	for _, shift := range w.counts {
		shift.apply()
	}
	return func() error {
		if err := batch.SyncWait(); err != nil {
			return fmt.Errorf("engine: write: %w", err)
		}
		return batch.Close()
	}, nil
}

// carryOut lets c decide on its item and puts what follows into the batch. The
// error is a failure of the store; a refusal is in the effect.
func (w *writer) carryOut(c *change) (effect, error) {
	data, closer, err := w.engine.db.Get(c.place)
	var old stored
	switch {
	case err == nil:
		w.open = append(w.open, closer)
		if old.View, err = itemcodec.Open(c.table.names, data); err != nil {
			return effect{}, w.engine.damaged(c.table.Name, err)
		}
	case !errors.Is(err, pebble.ErrNotFound):
		return effect{}, fmt.Errorf("engine: read: %w", err)
	}
	var out effect
	if old.Exists() && c.keepOld {
		if out.old, err = old.Item(); err != nil {
			return effect{}, w.engine.damaged(c.table.Name, err)
		}
	}
	if c.program.HasCondition() && !c.program.Condition(old.View) {
		return w.conditionFailed(c, old)
	}
	switch c.action {
	case actionCheck:
		out.units = checkUnits(old.View)
		return out, nil
	case actionDelete:
		out.units, err = w.store(c, old, nil, nil)
		return out, err
	}
	item, err := w.decide(c, old)
	if err != nil {
		return blame(err)
	}
	if c.action == actionUpdate {
		out.new = item
	}
	if out.units, err = w.put(c, old, item); err != nil {
		return blame(err)
	}
	return out, nil
}

// blame sorts out whose fault err is: the request's, or the store's.
func blame(err error) (effect, error) {
	var bad *value.ValidationError
	if errors.As(err, &bad) {
		return effect{err: err}, nil
	}
	return effect{}, err
}

func (w *writer) conditionFailed(c *change, old stored) (effect, error) {
	var item Item
	if c.oldOnFailure && old.Exists() {
		var err error
		if item, err = old.Item(); err != nil {
			return effect{}, w.engine.damaged(c.table.Name, err)
		}
	}
	return effect{err: errConditionFailed(item)}, nil
}

// decide returns the item as c wants it.
func (w *writer) decide(c *change, old stored) (Item, error) {
	if c.action == actionPut {
		return c.key, c.fault
	}
	base := c.key
	if old.Exists() {
		var err error
		if base, err = old.Item(); err != nil {
			return nil, w.engine.damaged(c.table.Name, err)
		}
	}
	item, err := c.program.Update(base)
	if err != nil {
		return nil, err
	}
	return item, c.table.checkIndexKeys(item)
}

// put stores item in the place of old.
func (w *writer) put(c *change, old stored, item Item) (units, error) {
	if c.action == actionUpdate && value.ItemSize(item) > value.MaxItemSize {
		return units{}, invalid("Item size to update has exceeded the maximum allowed size")
	}
	if err := c.table.names.Learn(item, w.engine.recordName(c.table.ID)); err != nil {
		return units{}, err
	}
	data, err := itemcodec.Append(w.item[:0], c.table.names, item)
	if err != nil {
		return units{}, err
	}
	w.item = data
	view, err := itemcodec.Open(c.table.names, data)
	if err != nil {
		return units{}, err
	}
	return w.store(c, old, &stored{view}, data)
}

// store puts the item and its index entries into the batch. next is nil for a
// delete; data is the stored form of next.
func (w *writer) store(c *change, old stored, next *stored, data []byte) (units, error) {
	var now stored
	if next != nil {
		now = *next
	}
	var err error
	switch {
	case now.Exists():
		err = w.batch.Set(c.place, data, nil)
	case old.Exists():
		err = w.batch.Delete(c.place, nil)
	}
	if err != nil {
		return units{}, fmt.Errorf("engine: write: %w", err)
	}
	w.count(c.table.counts, old.View, now.View)
	u := units{table: writeUnits(max(old.Size(), now.Size()))}
	for _, x := range c.table.indexes {
		n, err := w.reindex(x, old, now)
		if err != nil {
			return units{}, err
		}
		u.add(x.Name, n)
	}
	return u, nil
}

func (w *writer) count(of *counts, old, now itemcodec.View) {
	shift := countShift{counts: of, bytes: now.Size() - old.Size()}
	if now.Exists() {
		shift.items++
	}
	if old.Exists() {
		shift.items--
	}
	w.counts = append(w.counts, shift)
}

// reindex moves the entry of an item in x from old to now and returns the write
// units that takes: none when the entry stays as it is, and both a delete and a
// put when it gets another key.
func (w *writer) reindex(x *index, old, now stored) (float64, error) {
	before, err := w.entryOf(x, 0, old)
	if err != nil {
		return 0, err
	}
	if x.Building && before.key != nil {
		// The builder may not have come to this item yet.
		if entered, err := w.engine.has(before.key); err != nil {
			return 0, err
		} else if !entered {
			before = entry{}
		}
	}
	after, err := w.entryOf(x, 1, now)
	if err != nil {
		return 0, err
	}
	moved := !bytes.Equal(before.key, after.key)
	if !moved && bytes.Equal(before.data, after.data) {
		return 0, nil
	}
	var n float64
	if before.key != nil && moved {
		if err := w.batch.Delete(before.key, nil); err != nil {
			return 0, fmt.Errorf("engine: write: %w", err)
		}
		n += writeUnits(before.view.Size())
	}
	if after.key != nil {
		if err := w.batch.Set(after.key, after.data, nil); err != nil {
			return 0, fmt.Errorf("engine: write: %w", err)
		}
		n += writeUnits(max(after.view.Size(), sizeUnless(moved, before.view)))
	}
	w.count(x.counts, before.view, after.view)
	return n, nil
}

func sizeUnless(moved bool, v itemcodec.View) int {
	if moved {
		return 0
	}
	return v.Size()
}
