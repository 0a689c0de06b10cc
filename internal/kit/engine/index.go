package engine

import (
	"bytes"
	"fmt"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// entry is an item's entry in an index. Its key is nil if the item lacks an attribute of
// the index's key.
type entry struct {
	key  []byte
	data []byte
	view itemcodec.View
}

// image is an item with the values of its table's columns.
type image struct {
	itemcodec.View
	columns []itemcodec.Value
}

// image returns an item of t with its columns, in one of the writer's two scratch slots.
func (w *writer) image(t *table, slot int, item itemcodec.View) image {
	w.columns[slot] = t.columns.Find(item, w.columns[slot])
	return image{item, w.columns[slot]}
}

// entryOf returns the entry of item in x, built in one of the writer's two scratch slots.
// It is valid until that slot is used again.
func (w *writer) entryOf(x *index, slot int, item image) (entry, error) {
	e, err := newEntry(x, w.key[slot][:0], w.entry[slot][:0], item)
	if e.key != nil {
		w.key[slot] = e.key
		if x.projected != nil {
			w.entry[slot] = e.data
		}
	}
	return e, err
}

// newEntry builds the entry of item in x in the given buffers.
func newEntry(x *index, key, data []byte, item image) (entry, error) {
	if !x.takes(item) {
		return entry{}, nil
	}
	key, ok := x.appendColumns(key, item.columns)
	if !ok {
		return entry{}, nil
	}
	return x.fill(key, data, item)
}

// fill completes an item's entry that has a key. An entry of an index that projects all
// attributes shows the item itself, of which it contains a copy or nothing.
func (x *index) fill(key, data []byte, item image) (entry, error) {
	if x.projected == nil {
		e := entry{key: key, view: item.View}
		if len(item.Bytes()) <= maxCopy {
			e.data = item.Bytes()
		}
		return e, nil
	}
	data, err := itemcodec.AppendProjection(data, item.View, x.projected)
	if err != nil {
		return entry{}, fmt.Errorf("engine: index %s: %w", x.Name, err)
	}
	view, err := item.Reopen(data)
	return entry{key: key, data: data, view: view}, err
}

// takes reports whether item has all attributes of x's key.
func (x *index) takes(item image) bool {
	if !item.Exists() {
		return false
	}
	for i := range x.parts {
		if p := &x.parts[i]; item.columns[p.column].Kind() != kindOf(p.Type) {
			return false
		}
	}
	return true
}

// appendColumns appends the stored key in r of an item with these columns. It returns false if
// one of the key's is absent.
func (r *relation) appendColumns(dst []byte, columns []itemcodec.Value) ([]byte, bool) {
	dst, ok := r.appendPartitionOf(dst, columns)
	if !ok {
		return dst, false
	}
	for _, parts := range [...][]keyPart{r.parts[1:], r.ownerParts} {
		for i := range parts {
			if dst, ok = appendValue(dst, columns[parts[i].column]); !ok {
				return dst, false
			}
		}
	}
	return dst, true
}

// appendPartitionOf appends the common prefix of the stored keys of the partition of an item
// with these columns. It returns false if the partition's is absent.
func (r *relation) appendPartitionOf(dst []byte, columns []itemcodec.Value) ([]byte, bool) {
	dst = append(dst, r.prefix...)
	at := len(dst)
	dst, ok := appendValue(keycodec.ReserveHash(dst), columns[r.parts[0].column])
	if ok {
		keycodec.PutHash(dst[at:])
	}
	return dst, ok
}

// keeps reports whether an item's key in x is the same with the columns was and now.
func (x *index) keeps(was, now []itemcodec.Value) bool {
	for i := range x.parts {
		if column := x.parts[i].column; !was[column].Equal(now[column]) {
			return false
		}
	}
	return true
}

// reindex moves the entry of an item in x from old to now and returns the write units used:
// none if the entry is unchanged, and both a delete and a put if its key changes. An entry
// that shows a changed item counts as written, even if it only refers to the item.
func (w *writer) reindex(x *index, old, now image) (float64, error) {
	stays := old.Exists() && now.Exists() && x.keeps(old.columns, now.columns)
	if stays && (x.keysOnly || !x.takes(now)) {
		return 0, nil
	}
	if stays && x.source != nil && !x.Building && min(len(old.Bytes()), len(now.Bytes())) > maxCopy {
		if bytes.Equal(old.Bytes(), now.Bytes()) {
			return 0, nil
		}
		w.touchEntry(x, now)
		w.count(x.counts, old.View, now.View)
		return writeUnits(max(old.Size(), now.Size())), nil
	}
	before, err := w.entryOf(x, 0, old)
	if err != nil {
		return 0, err
	}
	var after entry
	if stays {
		after, err = x.fill(before.key, w.entry[1][:0], now)
	} else {
		after, err = w.entryOf(x, 1, now)
	}
	if err != nil {
		return 0, err
	}
	if x.Building && before.key != nil {
		// The builder may not have reached this item yet.
		if entered, err := w.engine.has(before.key); err != nil {
			return 0, err
		} else if !entered {
			before, stays = entry{}, false
		}
	}
	moved := !stays && !bytes.Equal(before.key, after.key)
	if !moved && bytes.Equal(before.view.Bytes(), after.view.Bytes()) {
		return 0, nil
	}
	var n float64
	if before.key != nil {
		w.touch(before.key)
	}
	if moved && after.key != nil {
		w.touch(after.key)
	}
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
