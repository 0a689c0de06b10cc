package engine

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// The lengths of what all places begin with: space and relation, and then the hash.
const (
	relationEnd = 1 + 4
	hashEnd     = relationEnd + keycodec.HashSize
)

// How long a copy stays behind at most, how often that is looked after, and how many
// items are brought up to date in one go.
const (
	maxLag      = time.Minute
	lagInterval = 10 * time.Second
	copyStep    = 64
)

// copies reads items of an index that may be behind. It belongs to one iterator and
// shows items as of the same moment.
type copies struct {
	engine *Engine
	index  *relation
	epoch  int
	stored *pebble.Iterator // over the table, once it is needed
	room   []byte
}

// beginCopies is called before the iterator is made.
func (e *Engine) beginCopies(r *relation) copies {
	return copies{engine: e, index: r, epoch: e.behind.begin()}
}

func (c *copies) end() error {
	defer c.engine.behind.end(c.epoch)
	if c.stored == nil {
		return nil
	}
	return c.stored.Close()
}

// latest returns the item whose entry the iterator stands at: its copy, which is given,
// or the item itself when it is marked. It is valid until the next call.
func (c *copies) latest(entry *pebble.Iterator, data []byte) ([]byte, error) {
	if c.engine.behind.count.Load() == 0 {
		return data, nil
	}
	owner, ok := c.index.ownerKey(entry.Key())
	if !ok {
		return nil, fmt.Errorf("engine: index entry %x: %w", entry.Key(), itemcodec.ErrCorrupt)
	}
	c.room = append(append(c.room[:0], c.index.source[1:]...), owner...)
	if !c.engine.behind.has(c.room) {
		return data, nil
	}
	if c.stored == nil {
		var err error
		if c.stored, err = entry.Clone(pebble.CloneOptions{IterOptions: &pebble.IterOptions{}}); err != nil {
			return nil, fmt.Errorf("engine: read: %w", err)
		}
	}
	hash, ok := keycodec.Skip(owner, isNumber(c.index.owner.Hash))
	if !ok {
		return nil, fmt.Errorf("engine: index entry %x: %w", entry.Key(), itemcodec.ErrCorrupt)
	}
	c.room = append(c.room[:0], c.index.source...)
	c.room = keycodec.AppendHash(c.room, keycodec.Hash(owner[:len(owner)-len(hash)]))
	c.room = append(c.room, owner...)
	if !c.stored.SeekPrefixGE(c.room) {
		if err := c.stored.Error(); err != nil {
			return nil, fmt.Errorf("engine: read: %w", err)
		}
		return nil, fmt.Errorf("engine: index entry %x has no item: %w", entry.Key(), itemcodec.ErrCorrupt)
	}
	data, err := c.stored.ValueAndErr()
	if err != nil {
		return nil, fmt.Errorf("engine: read: %w", err)
	}
	return data, nil
}

// ownerKey returns the part of an entry's key that is the key of its item.
func (r *relation) ownerKey(key []byte) ([]byte, bool) {
	if len(key) < hashEnd {
		return nil, false
	}
	rest, ok := keycodec.Skip(key[hashEnd:], isNumber(r.key.Hash))
	if ok && r.key.HasSort() {
		rest, ok = keycodec.Skip(rest, isNumber(r.key.Sort))
	}
	return rest, ok
}

// leavesBehind reports whether the copies of the item at place, which is changed, are
// left behind, and sees to it that the item is marked then. The answer holds for all
// indexes.
func (w *writer) leavesBehind(place []byte) (bool, error) {
	if w.lag.decided {
		return w.lag.yes, nil
	}
	w.mark = appendMark(w.mark[:0], place)
	yes, anew := w.engine.behind.admits(w.mark)
	w.lag = lag{decided: true, yes: yes}
	if !anew {
		return yes, nil
	}
	w.marks = append(w.marks, place)
	if err := w.batch.Set(behindKey(place), nil, nil); err != nil {
		return false, fmt.Errorf("engine: write: %w", err)
	}
	return true, nil
}

// lag is whether the copies of the item that is changed are left behind.
type lag struct{ decided, yes bool }

// loadBehind finds the marks that were stored.
func (e *Engine) loadBehind() error {
	prefix := []byte{spaceBehind}
	err := e.each(prefix, func(key, _ []byte) error {
		if len(key) < len(prefix)+hashEnd {
			return fmt.Errorf("engine: mark %x: %w", key, itemcodec.ErrCorrupt)
		}
		e.behind.add(key[len(prefix):])
		return nil
	})
	if err == nil && e.behind.limit == 0 {
		err = e.refreshAll()
	}
	return err
}

// keepCopies brings copies up to date in the background, those that have been behind
// for long, and others when the marks take much room.
func (e *Engine) keepCopies(interval time.Duration) {
	if e.behind.limit == 0 || interval == 0 {
		return
	}
	e.sweeper.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			var before time.Time
			select {
			case <-e.closed.Done():
				return
			case <-tick.C:
				before = e.now().Add(-maxLag)
			case <-e.behind.full:
			}
			for e.closed.Err() == nil {
				n, err := e.refresh(copyStep, before)
				if err != nil {
					e.log.Error("bringing indexes up to date failed; it is tried again later", "error", err)
				}
				if n < copyStep || err != nil {
					break
				}
			}
		}
	})
}

// refreshAll brings all copies up to date.
func (e *Engine) refreshAll() error {
	for {
		n, err := e.refresh(copyStep, time.Time{})
		if n == 0 || err != nil {
			return err
		}
	}
}

// refresh brings the copies of n items at most up to date, of those that were marked
// before a time, or of all when it is zero, and returns how many it was. It may find
// none while somebody reads an index for long.
func (e *Engine) refresh(n int, before time.Time) (int, error) {
	e.behind.step.Lock()
	defer e.behind.step.Unlock()
	if !e.behind.settle() {
		return 0, nil
	}
	places := e.behind.pick(n, before)
	if len(places) == 0 {
		return 0, nil
	}
	if err := e.refreshPlaces(places); err != nil {
		return 0, err
	}
	e.behind.settle()
	return len(places), nil
}

func (e *Engine) refreshPlaces(places [][]byte) error {
	e.shape.RLock()
	defer e.shape.RUnlock()
	w := e.newWriter()
	defer w.release()
	for _, place := range places {
		w.held = append(w.held, stripeOf(place))
	}
	w.held = e.stripes.lock(w.held)
	defer e.stripes.unlock(w.held)
	if err := e.latest(&w.old, places...); err != nil {
		return err
	}
	for i, place := range places {
		if err := w.refresh(i, place); err != nil {
			return err
		}
	}
	// Without waiting for the disk: until it is there, so are the old copies and the mark.
	if err := e.db.Apply(w.batch, pebble.NoSync); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	e.behind.fade(places)
	return nil
}

// refresh puts the copies of the item at place, which was read at i, into the batch.
// The item and its table may be gone.
func (w *writer) refresh(i int, place []byte) error {
	if err := w.batch.Delete(behindKey(place), nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	data, found := w.old.at(i)
	t := w.engine.tableOf(place)
	if !found || t == nil {
		return nil
	}
	view, err := itemcodec.Open(t.names, data)
	if err != nil {
		return w.engine.damaged(t.Name, err)
	}
	item := w.image(t, 0, stored{view})
	for _, x := range t.indexes {
		if x.projected != nil || x.Building {
			continue
		}
		e, err := w.entryOf(x, 0, item)
		if err != nil {
			return err
		}
		if e.key == nil {
			continue
		}
		if err := w.batch.Set(e.key, e.data, nil); err != nil {
			return fmt.Errorf("engine: write: %w", err)
		}
	}
	return nil
}

// tableOf returns the table that a place belongs to, nil when it is gone.
func (e *Engine) tableOf(place []byte) *table {
	for _, t := range *e.tables.Load() {
		if string(t.prefix) == string(place[:relationEnd]) {
			return t
		}
	}
	return nil
}
