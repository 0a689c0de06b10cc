package engine

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcache"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
)

// writer collects the results of changes in one batch.
type writer struct {
	engine     *Engine
	batch      *pebble.Batch
	counts     []countShift
	news       []newItem
	writes     []itemcache.Write
	touched    []partitionID // whose ranges change
	storedKeys [][]byte      // of the changes
	old        readings      // the current items, in the order of the changes
	held       []int         // stripes
	buf        []byte        // holds new items
	seq        uint64        // the sequence number of the write
	left       bool          // the write goes on without its caller

	key     [2][]byte            // scratch for old and new index keys
	entry   [2][]byte            // scratch for old and new index entries
	columns [2][]itemcodec.Value // scratch for old and new columns
	fields  []raw.Field          // scratch for the changes of one item
	seen    itemcodec.View       // the item that a condition checks
}

// writers are pooled for their buffers.
var writers = sync.Pool{New: func() any { return new(writer) }}

// maxScratch is the maximum size of the buffer that a pooled writer keeps.
const maxScratch = 64 << 10

func (e *Engine) newWriter() *writer {
	w := writers.Get().(*writer)
	w.engine, w.batch = e, e.db.NewBatch()
	return w
}

// newItem is the new item at a stored key, or its removal.
type newItem struct {
	storedKey, data []byte
	exists          bool
}

// encode lets put append to the writer's buffer and returns what it appended, which remains
// valid until the writer is released.
func (w *writer) encode(put func(dst []byte) ([]byte, error)) ([]byte, error) {
	at := len(w.buf)
	buf, err := put(w.buf)
	if err != nil {
		return nil, err
	}
	w.buf = buf
	return buf[at:], nil
}

// release returns the writer to the pool. Nothing it returned may be used afterwards.
func (w *writer) release() {
	if w.left {
		return
	}
	if w.batch != nil {
		w.batch.Close()
	}
	if cap(w.buf)+cap(w.old.buf)+cap(w.entry[0])+cap(w.entry[1]) > maxScratch {
		return
	}
	w.engine, w.batch, w.seen = nil, nil, itemcodec.View{}
	clear(w.counts)
	clear(w.news)
	clear(w.storedKeys)
	clear(w.old.items)
	clear(w.fields)
	w.counts, w.news, w.writes, w.storedKeys = w.counts[:0], w.news[:0], w.writes[:0], w.storedKeys[:0]
	w.touched = w.touched[:0]
	w.held, w.buf, w.fields = w.held[:0], w.buf[:0], w.fields[:0]
	writers.Put(w)
}

// commit applies the batch. From then on it is visible, and later writes may depend on it;
// they follow it in the log, so they cannot survive a crash that this one does not. The
// returned function waits until the log is on disk, sharing syncs with others.
//
// An empty batch waits too: that there was nothing to do may be due to a write that is not
// on disk yet.
func (w *writer) commit() (wait func() error, err error) {
	batch := w.batch
	if batch.Empty() {
		return w.engine.awaitDurable, nil
	}
	for _, shift := range w.counts {
		if !shift.due() {
			continue
		}
		if err := shift.counts.save(batch, shift); err != nil {
			return nil, err
		}
	}
	if err := w.show(); err != nil {
		return nil, fmt.Errorf("engine: write: %w", err)
	}
	return w.engine.awaitDurable, nil
}

// show applies the batch, keeping the caches consistent for concurrent readers.
func (w *writer) show() error {
	w.seq = w.engine.sequence.begin()
	for _, n := range w.news {
		w.writes = append(w.writes, w.engine.items.Begin(n.storedKey, w.seq))
		w.engine.noteKey(n)
	}
	for i := range w.touched {
		w.engine.pages.Begin(w.touched[i][:], w.seq)
	}
	return w.engine.carry(w)
}

// write, leave and end implement [storageWrite].
func (w *writer) write() error { return w.engine.db.Apply(w.batch, pebble.NoSync) }

func (w *writer) leave() {
	w.left = true
	for i, n := range w.news {
		w.news[i].storedKey, w.news[i].data = bytes.Clone(n.storedKey), bytes.Clone(n.data)
	}
}

func (w *writer) end(err error) {
	if err == nil { // otherwise the state of the store is uncertain
		for i, n := range w.news {
			w.engine.items.End(w.writes[i], n.storedKey, n.data, n.exists)
			if w.left && n.exists {
				w.engine.keys.Add(n.storedKey) // a filter may have been built meanwhile
			}
		}
		for _, shift := range w.counts {
			shift.apply()
		}
	}
	w.engine.sequence.end(w.seq)
	if w.left {
		w.batch.Close()
	}
}

// awaitDurable waits until everything applied before is on disk.
func (e *Engine) awaitDurable() error {
	if e.commits == nil {
		return nil // in memory
	}
	return e.commits.wait()
}

// syncLog syncs everything applied before to disk.
func (e *Engine) syncLog() error {
	if err := e.db.LogData(nil, pebble.Sync); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	return nil
}

// store adds the replacement of old by now, with index entries, to the batch. A delete
// stores an item that does not exist.
func (w *writer) store(c *change, old, now itemcodec.View) (units, error) {
	var err error
	switch {
	case now.Exists():
		err = w.batch.Set(c.storedKey, now.Bytes(), nil)
	case old.Exists():
		err = w.batch.Delete(c.storedKey, nil)
	}
	if err != nil {
		return units{}, fmt.Errorf("engine: write: %w", err)
	}
	w.news = append(w.news, newItem{c.storedKey, now.Bytes(), now.Exists()})
	w.touch(c.storedKey)
	w.count(c.table.counts, old, now)
	u := units{table: writeUnits(max(old.Size(), now.Size()))}
	if len(c.table.indexes) == 0 {
		return u, nil
	}
	before := w.image(c.table, 0, old)
	after := image{now, before.columns}
	if c.movesEntries {
		after = w.image(c.table, 1, now)
	}
	for _, x := range c.table.indexes {
		n, err := w.reindex(x, before, after)
		if err != nil {
			return units{}, err
		}
		if !c.unpriced {
			u.add(x.Name, n)
		}
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
