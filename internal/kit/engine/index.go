package engine

import (
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
