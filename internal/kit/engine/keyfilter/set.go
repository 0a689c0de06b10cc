package keyfilter

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

const (
	// bitsPerKey, with one bit of a key in each word of a block, gives a full segment a
	// false positive rate of one in two hundred.
	bitsPerKey = 12
	blockWords = 8 // 64 bytes, a cache line
	blockKeys  = blockWords * 64 / bitsPerKey

	// leastKeys is the capacity of the smallest segment.
	leastKeys = 1 << 14
)

// set is a growing set of hashes: each segment has twice the capacity of the previous one.
// Hashes are never removed.
type set struct {
	limit int // bytes of all segments

	grow sync.Mutex // held while a segment is added
	all  atomic.Pointer[[]*segment]
}

// newSet returns a set sized for a quarter more than keys, or nil if that exceeds the limit.
func newSet(keys, limit int) *set {
	s := &set{limit: limit}
	first := newSegment(max(keys+keys/4, leastKeys))
	if first.size() > limit {
		return nil
	}
	s.all.Store(&[]*segment{first})
	return s
}

// segments returns the parts of the set, the newest last.
func (s *set) segments() []*segment { return *s.all.Load() }

func (s *set) has(hash uint64) bool {
	for _, part := range s.segments() {
		if part.has(hash) {
			return true
		}
	}
	return false
}

// add adds a hash. It reports whether the set has grown, and not ok if it has reached its
// limit; the hash is always added.
func (s *set) add(hash uint64) (grown, ok bool) {
	parts := s.segments()
	for _, part := range parts {
		if part.has(hash) {
			return false, true
		}
	}
	last := parts[len(parts)-1]
	last.add(hash)
	if last.keys.Add(1) < last.capacity {
		return false, true
	}
	return true, s.extend(last)
}

// extend adds a segment after last, unless another goroutine has done so.
func (s *set) extend(last *segment) bool {
	s.grow.Lock()
	defer s.grow.Unlock()
	parts := s.segments()
	if parts[len(parts)-1] != last {
		return true
	}
	size := 3 * last.size() // including the new one
	for _, part := range parts[:len(parts)-1] {
		size += part.size()
	}
	if size > s.limit {
		return false
	}
	more := append(parts[:len(parts):len(parts)], newSegment(2*int(last.capacity)))
	s.all.Store(&more)
	return true
}

// keys returns the approximate number of keys added.
func (s *set) keys() int64 {
	n := int64(0)
	for _, part := range s.segments() {
		n += part.keys.Load()
	}
	return n
}

// segment is a Bloom filter in which all bits of a key are in one block.
type segment struct {
	words    []uint64 // blocks, one after another
	capacity int64    // number of keys it is sized for
	keys     atomic.Int64
}

func newSegment(keys int) *segment {
	blocks := (keys + blockKeys - 1) / blockKeys
	return &segment{words: make([]uint64, blocks*blockWords), capacity: int64(blocks * blockKeys)}
}

func (s *segment) size() int { return 8 * len(s.words) }

// block returns the block of a hash, and the positions of its bits in the words of that
// block, six bits for each position.
func (s *segment) block(hash uint64) (block []uint64, positions uint64) {
	blocks := uint64(len(s.words) / blockWords)
	n, _ := bits.Mul64(hash, blocks)
	// The upper part of the hash selects the block. After multiplication, the upper part of
	// the product depends on all of it.
	return s.words[n*blockWords:][:blockWords], hash * 0x9E3779B97F4A7C15 >> 16
}

func (s *segment) has(hash uint64) bool {
	block, positions := s.block(hash)
	for i := range block {
		if atomic.LoadUint64(&block[i])&(1<<(positions&63)) == 0 {
			return false
		}
		positions >>= 6
	}
	return true
}

func (s *segment) add(hash uint64) {
	block, positions := s.block(hash)
	for i := range block {
		if bit := uint64(1) << (positions & 63); atomic.LoadUint64(&block[i])&bit == 0 {
			atomic.OrUint64(&block[i], bit)
		}
		positions >>= 6
	}
}
