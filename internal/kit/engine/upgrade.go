package engine

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
)

// spaceBehind has the places of items whose copies in indexes were behind when the
// process ended, as format 2 left them.
const spaceBehind = 0x07

// upgrade brings what an older format has left to what is expected now. Interrupted, it
// begins anew.
func (e *Engine) upgrade() error {
	w := e.newWriter()
	defer w.release()
	prefix := []byte{spaceBehind}
	err := e.each(prefix, func(key, _ []byte) error {
		if err := w.batch.Delete(key, nil); err != nil {
			return err
		}
		return w.enterAgain(key[len(prefix):])
	})
	if err == nil && !w.batch.Empty() {
		err = e.db.Apply(w.batch, pebble.Sync)
	}
	if err != nil {
		return fmt.Errorf("engine: upgrade: %w", err)
	}
	return nil
}

// enterAgain puts the entries of the item stored at place into the batch. The item and
// its table may be gone.
func (w *writer) enterAgain(place []byte) error {
	if len(place) < hashEnd {
		return itemcodec.ErrCorrupt
	}
	for _, t := range *w.engine.tables.Load() {
		if string(t.prefix) != string(place[:relationEnd]) {
			continue
		}
		return w.engine.read(w.engine.db, t, place, func(v itemcodec.View) error {
			item := w.image(t, 0, stored{v})
			for _, x := range t.indexes {
				after, err := w.entryOf(x, 0, item)
				if err != nil {
					return err
				}
				if after.key == nil || x.Building {
					continue
				}
				if err := w.batch.Set(after.key, after.data, nil); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return nil
}
