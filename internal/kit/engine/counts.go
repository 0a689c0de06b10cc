package engine

import (
	"sync"
	"sync/atomic"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/keycodec"
)

// counts is how much a relation holds.
type counts struct {
	items atomic.Int64
	bytes atomic.Int64
}

func (c *counts) add(items, bytes int) {
	c.items.Add(int64(items))
	c.bytes.Add(int64(bytes))
}

func (c *counts) load() catalog.Counts {
	return catalog.Counts{Items: c.items.Load(), Bytes: c.bytes.Load()}
}

// countsOf gives each relation its counts, the same for all versions of a
// table.
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
		c.all[r] = &counts{}
	}
	return c.all[r]
}

func (c *countsOf) drop(r keycodec.Relation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.all, r)
}
