package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/keyfilter"
)

// Most items that are read and not in the cache do not exist: for example, a block between
// two users, or a new id. A filter of the keys of all items knows this without asking the
// storage level by level.
//
// A write adds its keys before it is applied. The filter is built from the stored keys in
// the background when the engine is opened; until then, the storage is asked.

const (
	// maxKeyFilter is the maximum size of the filter in bytes, enough for 15 to 20 million
	// items. While it is being rebuilt, it takes up to twice as much. With more items,
	// there is no filter.
	maxKeyFilter = 32 << 20

	// A build reads this many keys, then rests for restAfter times as long as that took.
	keysAtOnce = 4096
	restAfter  = 4
)

// noteKey adds the key of an item about to be stored, or counts one about to be removed.
func (e *Engine) noteKey(n newItem) {
	if n.exists {
		e.keys.Add(n.place)
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
	}
	return nil
}

// someKeys passes the first keys of s to add, at most keysAtOnce, and returns the last one
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
		if n++; n == keysAtOnce {
			last = slices.Clone(it.Key())
			break
		}
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return last, nil
}

// rest waits for d or until the engine is closed.
func (e *Engine) rest(d time.Duration) error {
	ctx, cancel := context.WithTimeout(e.closed, d)
	defer cancel()
	<-ctx.Done()
	if e.closed.Err() != nil {
		return errAbandoned
	}
	return nil
}
