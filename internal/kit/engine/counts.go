package engine

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/keycodec"
)

// countsSaved is the number of writes to a relation after which its counts are stored. They
// are also stored when the engine is closed. After a crash they may lack that many writes,
// which is more precise than the counts of DynamoDB, updated every six hours.
const countsSaved = 128

// counts holds the number and size of a relation's items.
type counts struct {
	relation keycodec.Relation
	items    atomic.Int64
	bytes    atomic.Int64
	writes   atomic.Uint64
}

// countShift is the change of counts by a write.
type countShift struct {
	counts       *counts
	items, bytes int
}

func (s countShift) apply() {
	s.counts.items.Add(int64(s.items))
	s.counts.bytes.Add(int64(s.bytes))
}

// due reports whether the counts should be stored with this write.
func (s countShift) due() bool { return s.counts.writes.Add(1)%countsSaved == 0 }

func (c *counts) load() catalog.Counts {
	return catalog.Counts{Items: c.items.Load(), Bytes: c.bytes.Load()}
}

// save puts the counts, with shift applied, into batch.
func (c *counts) save(batch *pebble.Batch, shift countShift) error {
	value := binary.AppendVarint(nil, c.items.Load()+int64(shift.items))
	value = binary.AppendVarint(value, c.bytes.Load()+int64(shift.bytes))
	if err := batch.Set(countsKey(c.relation), value, nil); err != nil {
		return fmt.Errorf("engine: write: %w", err)
	}
	return nil
}

func (c *counts) restore(value []byte) error {
	items, n := binary.Varint(value)
	if n <= 0 {
		return errCounts
	}
	bytes, n := binary.Varint(value[n:])
	if n <= 0 {
		return errCounts
	}
	c.items.Store(items)
	c.bytes.Store(bytes)
	return nil
}

var errCounts = fmt.Errorf("engine: stored counts are damaged")

// countsOf holds the counts of each relation, shared by all versions of a table.
type countsOf struct {
	mu  sync.Mutex
	all map[keycodec.Relation]*counts
}

func (c *countsOf) of(r keycodec.Relation) *counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[keycodec.Relation]*counts{}
	}
	if c.all[r] == nil {
		c.all[r] = &counts{relation: r}
	}
	return c.all[r]
}

func (c *countsOf) drop(r keycodec.Relation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, r)
}

// loadCounts loads the counts stored by saveCounts or a later write.
func (e *Engine) loadCounts() error {
	prefix := []byte{spaceCounts}
	return e.each(prefix, func(key, value []byte) error {
		if len(key) != len(prefix)+4 {
			return errCounts
		}
		return e.counts.of(keycodec.Relation(binary.BigEndian.Uint32(key[len(prefix):]))).restore(value)
	})
}

// saveCounts stores all counts.
func (e *Engine) saveCounts() error {
	batch := e.db.NewBatch()
	defer batch.Close()
	e.counts.mu.Lock()
	defer e.counts.mu.Unlock()
	for _, c := range e.counts.all {
		if err := c.save(batch, countShift{}); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.Sync)
}
