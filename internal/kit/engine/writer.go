package engine

import (
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
)

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
//
// An empty batch waits too: that there was nothing to do may be the doing of a
// write that is not on disk yet.
func (w *writer) commit() (wait func() error, err error) {
	batch := w.batch
	if batch.Empty() {
		return w.engine.settle, nil
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

// settle returns when everything that was applied before is on disk.
func (e *Engine) settle() error {
	if err := e.db.LogData(nil, pebble.Sync); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	return nil
}

// store puts an item in the place of old, with its index entries, into the
// batch. A delete stores an item that does not exist.
func (w *writer) store(c *change, old, now stored) (units, error) {
	var err error
	switch {
	case now.Exists():
		err = w.batch.Set(c.place, now.Bytes(), nil)
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
