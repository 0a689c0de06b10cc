package engine

import (
	"bytes"
	"fmt"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// entry is what an item contributes to an index. Its key is nil when the item
// lacks an attribute of the index's key.
type entry struct {
	key  []byte
	data []byte
	view itemcodec.View
}

// entryOf returns the entry of item in x, built in the given one of the
// writer's two rooms. It is valid until that room is used again.
func (w *writer) entryOf(x *index, room int, item stored) (entry, error) {
	e, err := newEntry(x, w.key[room][:0], w.entry[room][:0], item)
	if e.key != nil {
		w.key[room] = e.key
		if x.projected != nil {
			w.entry[room] = e.data
		}
	}
	return e, err
}

// newEntry builds the entry of item in x, in the rooms given. An entry of an
// index that projects all is the stored item itself.
func newEntry(x *index, key, data []byte, item stored) (entry, error) {
	if !item.Exists() {
		return entry{}, nil
	}
	key, ok := appendKey(key, &x.relation, item)
	if !ok {
		return entry{}, nil
	}
	if x.projected == nil {
		return entry{key: key, data: item.Bytes(), view: item.View}, nil
	}
	data, err := itemcodec.AppendProjection(data, item.View, x.projected, value.Size)
	if err != nil {
		return entry{}, fmt.Errorf("engine: index %s: %w", x.Name, err)
	}
	view, err := item.Reopen(data)
	return entry{key: key, data: data, view: view}, err
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
