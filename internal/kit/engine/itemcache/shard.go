package itemcache

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// maxSpared is the maximum number of entries that are spared for each one added.
const maxSpared = 8

// shard is a part of a cache: a ring of entries. To make room for another, the oldest one is
// evicted, or spared if it has been read since it was added or last spared: it then becomes
// the youngest.
type shard struct {
	mu    sync.Mutex
	index map[uint64]uint64 // hash of a key → position of its entry
	// ring grows up to capacity bytes. An entry is not split: if it does not fit before the
	// end, it begins at the start.
	ring     []byte
	capacity int
	// Entries are between the positions head and tail, which only grow; the place of a
	// position in the ring is its remainder by capacity. Entries that are not in the index have
	// been removed.
	head, tail uint64

	last uint64 // number of the last write that began
}

// An entry consists of a head, the key, and space for a value. The head contains the lengths of the
// key and of the space, the length of the value plus one (0 means an absent item), the sequence number
// of a write, and the hash.
const (
	keyAt, spaceAt, valueAt, sinceAt, hashAt = 0, 2, 4, 6, 14

	headSize = hashAt + 8
)

const (
	// readMark is set in the length of the space of entries that have been read.
	readMark = 1 << 15
	// skipMark is the length of the key in a gap between the last entry and the end of the ring.
	// There is none in a gap that is smaller than a head.
	skipMark = 1<<16 - 1
)

// slack is the multiple that spaces are rounded up to, so that most changed values, such as
// those with a counter, fit into the space of the previous one.
const slack = 16

func (s *shard) open(capacity int) {
	s.capacity = capacity
	s.index = map[uint64]uint64{}
}

func (s *shard) get(dst []byte, hash uint64, key []byte) ([]byte, Answer, uint64) {
	at, ok := s.index[hash]
	if !ok {
		return dst, Unknown, 0
	}
	e := s.entry(at)
	if !e.is(key) {
		return dst, Unknown, 0 // a different key with the same hash
	}
	if !e.read() {
		e.mark(readMark)
	}
	value, found := e.value()
	if !found {
		return dst, Absent, e.since()
	}
	return append(dst, value...), Found, e.since()
}

// put adds what is known about key. An older entry of it must have been dropped or be the
// same.
func (s *shard) put(hash uint64, key, value []byte, found bool, since uint64) {
	size := headSize + len(key) + spaceFor(value)
	delete(s.index, hash)
	if size > min(maxEntry, s.capacity) {
		return
	}
	for spared := 0; !s.hasRoom(size); {
		if s.evict(spared < maxSpared) {
			spared++
		}
	}
	e := s.extend(size)
	binary.LittleEndian.PutUint16(e[keyAt:], uint16(len(key)))
	binary.LittleEndian.PutUint16(e[spaceAt:], uint16(spaceFor(value)))
	binary.LittleEndian.PutUint64(e[hashAt:], hash)
	copy(e[headSize:], key)
	e.fill(value, found, since)
	s.index[hash] = s.tail - uint64(size)
}

// drop removes the key with this hash and returns its location.
func (s *shard) drop(hash uint64) dropped {
	at, known := s.index[hash]
	delete(s.index, hash)
	return dropped{known, at}
}

// dropped is the location of a removed entry.
type dropped struct {
	known bool
	at    uint64
}

// restore adds what is now known about key, in the dropped location if it still exists and
// is large enough, so that a key that changes often takes its space once.
func (s *shard) restore(was dropped, hash uint64, key, value []byte, found bool, since uint64) {
	if _, taken := s.index[hash]; !taken && was.at >= s.head {
		if e := s.entry(was.at); e.is(key) && len(value) <= e.space() {
			e.fill(value, found, since)
			s.index[hash] = was.at
			return
		}
	}
	s.put(hash, key, value, found, since)
}

// evict removes the oldest entry, or spares it if it may, and reports which.
func (s *shard) evict(maySpare bool) (spared bool) {
	left := s.left(s.head)
	if left < headSize || s.entry(s.head).keyLength() == skipMark {
		s.head += uint64(left)
		return false
	}
	e, at := s.entry(s.head), s.head
	size := e.size()
	s.head += uint64(size)
	hash := e.hash()
	if known, ok := s.index[hash]; !ok || known != at {
		return false
	}
	if !maySpare || !e.read() || !s.hasRoom(size) {
		delete(s.index, hash)
		return false
	}
	e.mark(0)
	copy(s.extend(size), e[:size]) // they may overlap
	s.index[hash] = s.tail - uint64(size)
	return true
}

// hasRoom reports whether there is room for an entry of that size, and the gap before it. An
// empty ring is filled from its start.
func (s *shard) hasRoom(size int) bool {
	if s.head == s.tail && s.place(s.tail) > 0 {
		s.tail += uint64(s.left(s.tail))
		s.head = s.tail
	}
	return int(s.tail-s.head)+s.gap(size)+size <= s.capacity
}

// gap returns the number of bytes before the end of the ring that an entry does not fit into.
func (s *shard) gap(size int) int {
	if left := s.left(s.tail); size > left {
		return left
	}
	return 0
}

// extend moves the tail by an entry of that size, after the gap before it, and returns the
// space of the entry.
func (s *shard) extend(size int) entry {
	if gap := s.gap(size); gap > 0 {
		if gap >= headSize {
			s.grow(s.capacity)
			binary.LittleEndian.PutUint16(s.entry(s.tail)[keyAt:], skipMark)
		}
		s.tail += uint64(gap)
	}
	at := s.place(s.tail)
	s.grow(at + size)
	s.tail += uint64(size)
	return s.ring[at : at+size]
}

// grow makes the ring long enough for its first need bytes.
func (s *shard) grow(need int) {
	if need > len(s.ring) {
		grown := make([]byte, min(max(2*len(s.ring), 2*need), s.capacity))
		copy(grown, s.ring)
		s.ring = grown
	}
}

// place returns the place of a position in the ring, and left the number of bytes from there
// to its end.
func (s *shard) place(position uint64) int { return int(position % uint64(s.capacity)) }
func (s *shard) left(position uint64) int  { return s.capacity - s.place(position) }

func (s *shard) entry(position uint64) entry { return s.ring[s.place(position):] }

// entry is an entry and what follows it.
type entry []byte

func (e entry) keyLength() int { return int(binary.LittleEndian.Uint16(e[keyAt:])) }
func (e entry) space() int     { return int(binary.LittleEndian.Uint16(e[spaceAt:]) &^ readMark) }
func (e entry) since() uint64  { return binary.LittleEndian.Uint64(e[sinceAt:]) }
func (e entry) hash() uint64   { return binary.LittleEndian.Uint64(e[hashAt:]) }
func (e entry) size() int      { return headSize + e.keyLength() + e.space() }

func (e entry) is(key []byte) bool { return bytes.Equal(e[headSize:headSize+e.keyLength()], key) }

func (e entry) read() bool { return binary.LittleEndian.Uint16(e[spaceAt:])&readMark != 0 }

// mark sets the readMark, or with 0 removes it.
func (e entry) mark(mark int) { binary.LittleEndian.PutUint16(e[spaceAt:], uint16(e.space()|mark)) }

// value returns the value without copying it. There is no item if found is false.
func (e entry) value() (value []byte, found bool) {
	length := int(binary.LittleEndian.Uint16(e[valueAt:]))
	if length == 0 {
		return nil, false
	}
	return e[headSize+e.keyLength():][:length-1], true
}

func (e entry) fill(value []byte, found bool, since uint64) {
	length := 0
	if found {
		length = 1 + copy(e[headSize+e.keyLength():], value)
	}
	binary.LittleEndian.PutUint16(e[valueAt:], uint16(length))
	binary.LittleEndian.PutUint64(e[sinceAt:], since)
}

func spaceFor(value []byte) int { return (len(value) + slack - 1) / slack * slack }
