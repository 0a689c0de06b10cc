// Package itemcache is a bounded cache in front of a slower store. It holds recently read
// items, and the knowledge that others do not exist.
//
// It never returns anything but the current state of the store, provided that every write
// calls Begin before the store shows it and End afterwards, and that writes of one key
// exclude each other. After a miss, a reader asks the store and may offer the result, which
// is dropped if a write has begun meanwhile.
//
// A value may also be derived from several items. Then every write of one of them calls only
// Begin: it need not exclude the others, and the value is unknown until a reader offers it.
//
// The caller numbers writes in the order in which they begin. A result includes the number
// of a write after which the item has not changed, so that a reader of an older snapshot of
// the store can tell whether the snapshot has the same item.
//
// Keys and values are stored in a few large buffers without pointers, so the garbage
// collector has nothing to scan, however many items there are.
package itemcache

import "hash/maphash"

// shardCount is the number of shards, each with its own lock.
const shardCount = 64

// maxEntry is the maximum size of a cached item with its key: the space of the largest
// items would serve hundreds of ordinary ones.
const maxEntry = 16 << 10

// indexPart is the part of a cache that the indexes of its entries take: about 24 bytes for
// each.
const indexPart = 8

// Cache is safe for concurrent use.
type Cache struct {
	seed   maphash.Seed
	shards [shardCount]shard
}

// New returns a cache of at most about size bytes, allocated as it fills. A cache of less
// than 3 MiB holds nothing.
func New(size int) *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	capacity := (size - size/indexPart) / shardCount
	if capacity < 2*maxEntry {
		capacity = 0
	}
	for i := range c.shards {
		c.shards[i].open(capacity)
	}
	return c
}

// Answer is the result of a lookup.
type Answer int

const (
	Unknown Answer = iota // ask the store
	Absent                // there is no such item
	Found
)

// Get appends the value of key to dst if it is Found. Unless the answer is Unknown, the
// value has not changed since the store showed the write with the returned sequence number;
// 0 means since the cache was created.
func (c *Cache) Get(dst, key []byte) (value []byte, answer Answer, since uint64) {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(dst, hash, key)
}

// Offer adds the result of reading key from the store after the store had shown all writes
// up to sequence number asOf. Found is false if there is no item. Key and value are copied.
func (c *Cache) Offer(asOf uint64, key, value []byte, found bool) {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last <= asOf {
		s.put(hash, key, value, found, s.last)
	}
}

// Write is a write of one key in progress.
type Write struct {
	hash   uint64
	number uint64
	known  bool
}

// Begin removes key, and rejects offers of what was read before the store showed the write with
// this sequence number. It must be called before the store shows it.
func (c *Cache) Begin(key []byte, number uint64) Write {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, number)
	return Write{hash, number, s.vacate(hash)}
}

// End ends a write that the store now shows. It adds the new value if the old one was
// cached: values that nobody has read are not worth caching. Found is false if the item was
// deleted.
func (c *Cache) End(w Write, key, value []byte, found bool) {
	if !w.known {
		return
	}
	s := c.shard(w.hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(w.hash, key, value, found, w.number)
}

func (c *Cache) shard(hash uint64) *shard { return &c.shards[hash%shardCount] }
