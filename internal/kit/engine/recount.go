package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
)

// Counts are stored only occasionally, so after a crash they may be outdated. A mark stored
// by Close shows whether the last process ended properly; if not, everything is recounted
// in the background.

// markOpen removes the mark, and reports whether it was present or the database is empty.
func (e *Engine) markOpen() (wasClosed bool, err error) {
	wasClosed, err = e.has([]byte{spaceClosed})
	if err != nil {
		return false, err
	}
	// The next acknowledged write follows this one in the log.
	if err := e.db.Delete([]byte{spaceClosed}, pebble.NoSync); err != nil {
		return false, fmt.Errorf("engine: write: %w", err)
	}
	return wasClosed || len(*e.tables.Load()) == 0, nil
}

// recount corrects the counts of all tables and their indexes, in the background.
func (e *Engine) recount() {
	e.builders.Go(func() {
		if err := e.recountAll(); err != nil && !errors.Is(err, errAbandoned) {
			e.log.Error("recounting after a crash failed; item counts of tables may be wrong", "error", err)
		}
	})
}

// recounted is the recount of a relation in the snapshot that is read.
type recounted struct {
	relation *counts
	was      catalog.Counts // when the snapshot was made
	is       catalog.Counts
}

func (r *recounted) add(v itemcodec.View) {
	r.is.Items++
	r.is.Bytes += int64(v.Size())
}

func (e *Engine) recountAll() error {
	all := map[*counts]*recounted{}
	snapshot, tables := func() (*pebble.Snapshot, tables) {
		e.shape.Lock() // nothing is being applied
		defer e.shape.Unlock()
		tables := *e.tables.Load()
		for _, t := range tables {
			all[t.counts] = &recounted{relation: t.counts, was: t.counts.load()}
			for _, x := range t.indexes {
				all[x.counts] = &recounted{relation: x.counts, was: x.counts.load()}
			}
		}
		return e.db.NewSnapshot(), tables
	}()
	defer snapshot.Close()
	read := int64(0)
	for _, t := range tables {
		if err := e.recountTable(snapshot, t, all); err != nil {
			return err
		}
		read += all[t.counts].is.Bytes
	}
	freeScanned(read)
	for _, r := range all {
		r.relation.items.Add(r.is.Items - r.was.Items)
		r.relation.bytes.Add(r.is.Bytes - r.was.Bytes)
	}
	e.counted.Store(true)
	return nil
}

// recountTable counts the items of t and their entries in its indexes. An index that is
// being built counts its own entries.
func (e *Engine) recountTable(snapshot *pebble.Snapshot, t *table, all map[*counts]*recounted) error {
	for _, x := range t.indexes {
		if x.Building {
			all[x.counts].is = all[x.counts].was
		}
	}
	var key, entry []byte
	var columns []itemcodec.Value
	begun, n := time.Now(), 0
	return eachIn(snapshot, t.whole(), func(_, data []byte) error {
		v, err := itemcodec.Open(t.names, data)
		if err != nil {
			return e.noteDamage(t.Name, err)
		}
		all[t.counts].add(v)
		columns = t.columns.Find(v, columns)
		for _, x := range t.indexes {
			if x.Building {
				continue
			}
			entered, err := newEntry(x, key[:0], entry[:0], image{v, columns})
			if err != nil {
				return err
			}
			if entered.key != nil {
				all[x.counts].add(entered.view)
			}
		}
		if n++; n%scanStep == 0 {
			if err := e.rest(restAfter * time.Since(begun)); err != nil {
				return err
			}
			begun = time.Now()
		}
		return nil
	})
}
