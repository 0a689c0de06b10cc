// Package itemcache keeps stored items that were read lately, and the knowledge that
// others do not exist, in a bounded room in front of a slower store.
//
// It never answers with anything but what the store would answer at that moment,
// provided that every write says Begin before the store shows it and End after, and
// that writes of one key exclude each other. A reader who was told nothing asks the
// store and may offer what it found: the offer is dropped when a write began meanwhile.
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

// Ticket lets the reader of a key offer what the store said.
type Ticket struct {
	hash  uint64
	epoch uint64
	open  bool // no write was under way when it was given out
}

// Get appends the value of key to dst when it is Found. When it is Unknown the ticket
// is for Offer.
func (c *Cache) Get(dst, key []byte) ([]byte, Answer, Ticket) {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	dst, answer := s.get(dst, hash, key)
	return dst, answer, Ticket{hash: hash, epoch: s.epoch, open: s.writing == 0}
}

// Offer takes what the store said about key after the ticket was given out. Found false
// says that there is no item. Key and value are copied.
func (c *Cache) Offer(t Ticket, key, value []byte, found bool) {
	if !t.open {
		return
	}
	s := c.shard(t.hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == t.epoch {
		s.put(t.hash, key, value, found)
	}
}

// Write is a write of one key under way.
type Write struct {
	hash  uint64
	known bool
}

// Begin forgets key, and until End nothing is learned about it. The caller lets the
// store show the write only after Begin.
func (c *Cache) Begin(key []byte) Write {
	hash := maphash.Bytes(c.seed, key)
	s := c.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
	s.writing++
	return Write{hash, s.drop(hash)}
}

// End ends a write that the store shows now, and learns the new value when the old one
// was known: what nobody has read yet is not worth its room. Found false says that the
// item was deleted.
func (c *Cache) End(w Write, key, value []byte, found bool) {
	c.end(w, func(s *shard) {
		if w.known {
			s.put(w.hash, key, value, found)
		}
	})
}

// Abort ends a write that failed, so that what the store shows is uncertain.
func (c *Cache) Abort(w Write) { c.end(w, func(*shard) {}) }

func (c *Cache) end(w Write, learn func(*shard)) {
	s := c.shard(w.hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing--
	learn(s)
}

func (c *Cache) shard(hash uint64) *shard { return &c.shards[hash%shardCount] }
