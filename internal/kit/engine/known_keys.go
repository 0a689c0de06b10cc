package engine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/keyfilter"
)

// Most lookups that miss the cache are of items that do not exist, for example a block
// between two users, or a new id. A filter of the keys of all items answers them without
// reading each level of the storage.
//
// A write adds its keys before it is applied. The filter is built from the stored keys in
// the background when the engine is opened; until then, lookups read the storage.

// maxKeyFilter is the maximum size of the filter in bytes, enough for 15 to 20 million items.
// While it is being rebuilt, it takes up to twice as much. With more items, there is no
// filter.
const maxKeyFilter = 32 << 20

// noteKey adds the key of an item about to be stored, or counts one about to be removed.
func (e *Engine) noteKey(n newItem) {
	if n.exists {
		e.keys.Add(n.storedKey)
	} else {
		e.keys.Gone(1)
	}
}

// keepKeys builds the filter in the background, and again whenever that improves it.
func (e *Engine) keepKeys() {
	e.keeper.Go(func() {
		for e.buildKeys() {
			select {
			case <-e.closed.Done():
				return
			case <-e.keys.Due():
			}
		}
	})
}

// buildKeys builds the filter from the stored keys. It reports whether the filter is
// useful.
func (e *Engine) buildKeys() bool {
	items := int64(0)
	for _, t := range *e.tables.Load() {
		items += t.counts.load().Items
	}
	settle := func() {
		// Every write holds e.shape until it is applied.
		e.shape.Lock()
		defer e.shape.Unlock()
	}
	err := e.keys.Build(int(items), settle, e.eachKey)
	switch {
	case errors.Is(err, keyfilter.ErrFull):
		e.log.Info("too many items for the key filter; every lookup reads the storage", "items", items)
		return false
	case err != nil && !errors.Is(err, errAbandoned):
		e.log.Error("building the key filter failed; lookups of missing items read the storage", "error", err)
	}
	return e.keys.Complete()
}

// eachKey passes the keys of the items of all tables to add, at low priority.
func (e *Engine) eachKey(add func(key []byte)) error {
	read := int64(0)
	for _, t := range *e.tables.Load() {
		for s := t.whole(); ; {
			begun := time.Now()
			last, err := e.someKeys(s, add)
			if err != nil {
				return err
			}
			if last == nil {
				break
			}
			s.startAfter(last)
			if err := e.rest(restAfter * time.Since(begun)); err != nil {
				return err
			}
		}
		read += t.counts.load().Bytes
	}
	freeScanned(read)
	return nil
}

// someKeys passes the first keys of s to add, at most scanStep, and returns the last one
// if there may be more. It does not keep an iterator open for long, which would retain
// overwritten data.
func (e *Engine) someKeys(s span, add func(key []byte)) (last []byte, err error) {
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper})
	if err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		add(it.Key())
		if n++; n == scanStep {
			last = slices.Clone(it.Key())
			break
		}
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return last, nil
}
