package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcache"
	"stoa/internal/kit/engine/itemcodec"
)

// readings are items that are read together. The zero value is ready for use, and may be
// reused when its items are no longer needed.
type readings struct {
	buf   []byte // the small items, one after another
	items []readItem
}

type readItem struct {
	begin, end int // in buf
	// large is the item instead, if it is large: a buffer of such items would be copied each
	// time that it grows.
	large  []byte
	found  bool
	missed bool // not in the cache
}

// at returns the i-th item, which must not be modified.
func (r *readings) at(i int) (data []byte, found bool) {
	it := &r.items[i]
	if it.large != nil {
		return it.large, it.found
	}
	return r.buf[it.begin:it.end:it.end], it.found
}

// latest reads the items at storedKeys. Each is the item at some time during the call.
func (e *Engine) latest(r *readings, storedKeys ...[]byte) error {
	r.buf, r.items = r.buf[:0], r.items[:0]
	missed := false
	for _, storedKey := range storedKeys {
		it := readItem{begin: len(r.buf), end: len(r.buf)}
		if !e.keys.Lacks(storedKey) {
			var answer itemcache.Answer
			r.buf, answer, _ = e.items.Get(r.buf, storedKey)
			it.end, it.found, it.missed = len(r.buf), answer == itemcache.Found, answer == itemcache.Unknown
			missed = missed || it.missed
		}
		r.items = append(r.items, it)
	}
	if !missed {
		return nil
	}
	if err := e.latestStored(r, storedKeys); err != nil {
		return fmt.Errorf("engine: read: %w", err)
	}
	return nil
}

// latestStored reads the items that were not in the cache.
func (e *Engine) latestStored(r *readings, storedKeys [][]byte) error {
	if err := e.use(); err != nil {
		return err
	}
	defer e.endUse()
	asOf := e.sequence.visible()
	if e.keys.Complete() {
		return e.latestPresent(r, storedKeys, asOf)
	}
	// If most items do not exist, an iterator is fastest: it checks the Bloom filters of
	// all levels, and is created once.
	stored, err := e.db.NewIter(&pebble.IterOptions{UseL6Filters: true})
	if err != nil {
		return err
	}
	for i := range r.items {
		it := &r.items[i]
		if !it.missed {
			continue
		}
		if it.found = stored.SeekPrefixGE(storedKeys[i]); it.found {
			data, err := stored.ValueAndErr()
			if err != nil {
				return errors.Join(err, stored.Close())
			}
			r.add(it, data)
		} else if err := stored.Error(); err != nil {
			return errors.Join(err, stored.Close())
		}
		data, _ := r.at(i)
		e.items.Offer(asOf, storedKeys[i], data, it.found)
	}
	return stored.Close()
}

// latestPresent is latestStored for items most of which exist: Get stops at the first level
// that has one.
func (e *Engine) latestPresent(r *readings, storedKeys [][]byte, asOf uint64) error {
	for i := range r.items {
		it := &r.items[i]
		if !it.missed {
			continue
		}
		data, closer, err := e.db.Get(storedKeys[i])
		switch {
		case err == nil:
			it.found = true
			r.add(it, data)
			if err := closer.Close(); err != nil {
				return err
			}
		case !errors.Is(err, pebble.ErrNotFound):
			return err
		}
		data, _ = r.at(i)
		e.items.Offer(asOf, storedKeys[i], data, it.found)
	}
	return nil
}

// largeItem is the size from which an item has memory of its own.
const largeItem = 16 << 10

// add stores the result of reading an item.
func (r *readings) add(it *readItem, data []byte) {
	if len(data) >= largeItem {
		it.large = bytes.Clone(data)
		return
	}
	it.begin = len(r.buf)
	r.buf = append(r.buf, data...)
	it.end = len(r.buf)
}

// visit calls f with the i-th item, which is from t, or with a view that does not exist.
func (r *readings) visit(e *Engine, t *table, i int, f func(itemcodec.View) error) error {
	data, found := r.at(i)
	if !found {
		return f(itemcodec.View{})
	}
	return e.view(t, data, f)
}
