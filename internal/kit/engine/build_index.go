package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
)

// A new index is first added to its table's description. From then on, writes maintain it,
// while a builder scans the table once and adds entries for existing items. The builder
// locks each item meanwhile, so it never writes an entry that a request has just removed.

// buildStep is the number of items per batch of a builder.
const buildStep = 64

// resumeBuilding starts builders for indexes that were unfinished when the engine was last
// closed. Adding an item twice is harmless.
func (e *Engine) resumeBuilding() {
	for _, t := range *e.tables.Load() {
		for _, x := range t.indexes {
			if x.Building {
				e.build(t.Name, x.Name)
			}
		}
	}
}

// build fills an index in the background and then makes it readable.
func (e *Engine) build(table, index string) {
	e.builders.Go(func() {
		if err := e.fill(table, index); err != nil && !errors.Is(err, errAbandoned) {
			e.log.Error("building an index failed; retrying at the next start",
				"table", table, "index", index, "error", err)
		}
	})
}

// errAbandoned means that the engine is closing or the index no longer exists.
var errAbandoned = errors.New("engine: index is no longer wanted")

func (e *Engine) fill(table, index string) error {
	t := (*e.tables.Load())[table]
	if t == nil {
		return errAbandoned
	}
	s := t.whole()
	for {
		storedKeys, err := e.storedKeys(s, buildStep)
		if err != nil {
			return err
		}
		done := len(storedKeys) == 0
		if done {
			err = e.finishIndex(t, index)
		} else {
			err = e.enter(t, index, storedKeys)
		}
		switch {
		case errors.Is(err, ErrDiskFull):
			select {
			case <-e.closed.Done():
				return errAbandoned
			case <-time.After(e.disk.pause):
			}
		case done || err != nil:
			return err
		default:
			s.startAfter(storedKeys[len(storedKeys)-1])
		}
	}
}

// storedKeys returns the first stored keys of s, at most n.
func (e *Engine) storedKeys(s span, n int) ([][]byte, error) {
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper})
	if err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	defer it.Close()
	var storedKeys [][]byte
	for ok := it.First(); ok && len(storedKeys) < n; ok = it.Next() {
		storedKeys = append(storedKeys, append([]byte(nil), it.Key()...))
	}
	if err := it.Error(); err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return storedKeys, nil
}

// enter adds the entries of the items with these stored keys to an index.
func (e *Engine) enter(t *table, name string, storedKeys [][]byte) error {
	e.shape.RLock()
	defer e.shape.RUnlock()
	t, x, err := e.unfinished(t, name)
	if err != nil {
		return err
	}
	wanted := make([]int, len(storedKeys))
	for i, storedKey := range storedKeys {
		wanted[i] = stripeOf(storedKey)
	}
	held := e.stripes.lock(wanted)
	defer e.stripes.unlock(held)
	if err := e.disk.writable(); err != nil {
		return err
	}

	w := e.newWriter()
	defer w.release()
	for _, storedKey := range storedKeys {
		err := e.read(e.db, t, storedKey, func(v itemcodec.View) error { return w.enter(t, x, v) })
		if err != nil {
			return err
		}
	}
	wait, err := w.commit()
	if err != nil {
		return err
	}
	return wait()
}

// enter adds the entry of item to x, unless a request has done so.
func (w *writer) enter(t *table, x *index, item itemcodec.View) error {
	after, err := w.entryOf(x, 0, w.image(t, 0, item))
	if err != nil || after.key == nil {
		return err
	}
	if entered, err := w.engine.has(after.key); err != nil || entered {
		return err
	}
	w.count(x.counts, itemcodec.View{}, after.view)
	return w.batch.Set(after.key, after.data, nil)
}

// has reports whether the key exists in the store.
func (e *Engine) has(key []byte) (bool, error) {
	_, closer, err := e.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("engine: read: %w", err)
	}
	return true, closer.Close()
}

// unfinished returns the current version of t and its index called name, which must still
// be building. The caller must hold e.shape.
func (e *Engine) unfinished(t *table, name string) (*table, *index, error) {
	if e.closed.Err() != nil {
		return nil, nil, errAbandoned
	}
	now := (*e.tables.Load())[t.Name]
	if now == nil || now.ID != t.ID {
		return nil, nil, errAbandoned
	}
	x, err := now.anyIndex(name)
	if err != nil || !x.Building {
		return nil, nil, errAbandoned
	}
	return now, x, nil
}

// finishIndex makes an index readable.
func (e *Engine) finishIndex(t *table, name string) error {
	e.shape.Lock()
	defer e.shape.Unlock()
	if err := e.disk.writable(); err != nil {
		return err
	}
	now, x, err := e.unfinished(t, name)
	if err != nil {
		return err
	}
	done := x.Index
	done.Building = false
	batch := e.db.NewBatch()
	defer batch.Close()
	return e.replace(batch, newTable(now.WithIndex(done), now.names, &e.counts))
}
