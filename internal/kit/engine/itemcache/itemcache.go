// Package itemcache keeps stored items that were read lately, and the knowledge that
// others do not exist, in a bounded room in front of a slower store.
//
// It never answers with anything but what the store would answer at that moment,
// provided that every write says Begin before the store shows it and End after, and
// that writes of one key exclude each other. A reader who was told nothing asks the
// store and may offer what it found: the offer is dropped when a write began meanwhile.
//
// Writes are numbered by the caller in the order in which they begin. With an answer
// comes the number of a write after which the item has not changed, so that a reader
// who looks at an older picture of the store can tell whether the item is the same in it.
//
// Keys and values lie in a few large buffers without pointers, so the garbage
// collector has nothing to follow, however many items there are.
package itemcache

import "hash/maphash"

// shardCount is how many parts work independently of each other.
const shardCount = 64

// maxEntry is the greatest item worth keeping, with its key: the room that the
// greatest items take would serve hundreds of ordinary ones.
const maxEntry = 16 << 10

// Cache is safe for concurrent use.
type Cache struct {
	seed   maphash.Seed
	shards [shardCount]shard
}

// New returns a cache that takes about size bytes at most. It takes memory as it
// fills. With less than 2 MiB it keeps nothing.
func New(size int) *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	room := size / shardCount / generations
	if room < maxEntry {
		room = 0
	}
	for i := range c.shards {
		c.shards[i].open(room)
	}
	return c
}

// Answer is what a cache knows.
type Answer int

const (
	Unknown Answer = iota // ask the store
	Absent                // there is no such item
	Found
)

// Get appends the value of key to dst when it is Found. Unless it is Unknown, it has not
// changed since the write with the number returned was shown; 0 stands for the beginning.
func (c *Cache) Get(dst, key []byte) (value []byte, answer Answer, since uint64) {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(dst, hash, key)
}

// Offer takes what the store said about key after it had shown all writes up to the
// number asOf. Found false says that there is no item. Key and value are copied.
func (c *Cache) Offer(asOf uint64, key, value []byte, found bool) {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last <= asOf {
		s.put(hash, key, value, found, s.last)
	}
}

// Write is a write of one key under way.
type Write struct {
	hash   uint64
	number uint64
	was    dropped
}

// Begin forgets key, and until End nothing is learned about it. The caller lets the
// store show the write, whose number is given, only after Begin.
func (c *Cache) Begin(key []byte, number uint64) Write {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, number)
	return Write{hash, number, s.drop(hash)}
}

// End ends a write that the store shows now, and learns the new value when the old one
// was known: what nobody has read yet is not worth its room. Found false says that the
// item was deleted.
func (c *Cache) End(w Write, key, value []byte, found bool) {
	if !w.was.known {
		return
	}
	s := c.shard(w.hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restore(w.was, w.hash, key, value, found, w.number)
}

func (c *Cache) shard(hash uint64) *shard { return &c.shards[hash%shardCount] }
