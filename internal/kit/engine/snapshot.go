package engine

import (
	"context"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
)

// Snapshot is a consistent view of the database: every earlier write is completely visible,
// no later one is. It is safe for concurrent use.
type Snapshot struct {
	engine *Engine
	tables tables
	store  *pebble.Snapshot
	once   sync.Once
}

// Snapshot returns a snapshot of the current database, which can be read while requests are
// served. Data overwritten or deleted meanwhile stays on disk until the snapshot is closed,
// which must happen before the engine is closed.
func (e *Engine) Snapshot() (*Snapshot, error) {
	// No table is created, changed or deleted between the two halves of a snapshot.
	if err := e.shareShape(); err != nil {
		return nil, err
	}
	defer e.shape.RUnlock()
	return &Snapshot{engine: e, tables: *e.tables.Load(), store: e.db.NewSnapshot()}, nil
}

// Close releases the snapshot. Closing again does nothing.
func (s *Snapshot) Close() (err error) {
	s.once.Do(func() { err = s.store.Close() })
	return err
}

// Items calls visit with the items of a table in the order of Scan, starting after the item
// with the key after unless that is nil. The item with that key need not exist. It stops at
// the first error of visit and returns it.
func (s *Snapshot) Items(ctx context.Context, table string, after Item, visit func(Item) error) error {
	t, ok := s.tables[table]
	if !ok {
		return errNoTableNamed(table)
	}
	span := t.relation.whole()
	if after != nil {
		storedKey, err := t.storedKeyOf(after)
		if err != nil {
			return public(err)
		}
		span.startAfter(storedKey)
	}
	return eachIn(s.store, span, func(_, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.engine.view(t, data, func(v itemcodec.View) error {
			item, err := v.Item()
			if err != nil {
				return err
			}
			return visit(item)
		})
	})
}
