// Package cache implements caches in limited memory.
package cache

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache is an LRU cache, limited by number and by weight: clients choose the keys, so long
// ones could otherwise fill the memory. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu        sync.Mutex
	lru       *simplelru.LRU[K, weighed[V]]
	weight    int
	maxWeight int
}

type weighed[V any] struct {
	value  V
	weight int
}

// New returns a cache of at most maxCount values with a total weight of at most maxWeight;
// maxCount must be positive.
func New[K comparable, V any](maxCount, maxWeight int) *Cache[K, V] {
	c := &Cache[K, V]{maxWeight: maxWeight}
	lru, err := simplelru.NewLRU(maxCount, func(_ K, w weighed[V]) { c.weight -= w.weight })
	if err != nil {
		panic(err)
	}
	c.lru = lru
	return c
}

// Get returns the value of key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.lru.Get(key)
	return w.value, ok
}

// Add adds a value unless it outweighs the whole cache.
func (c *Cache[K, V]) Add(key K, value V, weight int) {
	if weight > c.maxWeight {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
	c.lru.Add(key, weighed[V]{value, weight})
	for c.weight += weight; c.weight > c.maxWeight; {
		c.lru.RemoveOldest()
	}
}

// Remove removes the value of key, if there is one.
func (c *Cache[K, V]) Remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Remove(key)
}
