package itemcache

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// shard is a part of a cache: a ring of entries, the oldest of which make room for new ones.
// An entry that was read since it was added is added once more instead (the algorithm CLOCK).
type shard struct {
	mu    sync.Mutex
	index map[uint64]uint64 // hash of a key → position of its entry
	ring  []byte            // grows up to capacity
	// Positions count all bytes ever added. An entry is at its position modulo the capacity.
	begin, end uint64
	capacity   uint64
	moved      []byte // scratch buffer

	last uint64 // number of the last write that began
}

// maxMoves limits how many entries are moved for a new one.
const maxMoves = 16

// The head of an entry contains the hash and the length of the key, the length of the space
// for the value, the length of the value plus one (0 means an absent item) or vacant, the
// sequence number of a write, and whether the entry was read.
const (
	hashAt, keyAt, spaceAt, valueAt, sinceAt, readAt = 0, 8, 10, 12, 14, 22

	headSize = readAt + 1

	vacant    = 1<<16 - 1 // more than the length of any value
	gapLength = 1<<16 - 1 // of a key: no entry follows before the end of the ring
)

// slack is the multiple that spaces are rounded up to, so that most changed values, such as
// those with a counter, fit into the space of the previous one.
const slack = 16

func (s *shard) open(capacity int) {
	s.capacity = uint64(capacity)
	s.index = map[uint64]uint64{}
}

// entry is an entry in the ring.
type entry []byte

func (e entry) keyLength() int { return int(binary.LittleEndian.Uint16(e[keyAt:])) }
func (e entry) space() int     { return int(binary.LittleEndian.Uint16(e[spaceAt:])) }
func (e entry) length() int    { return int(binary.LittleEndian.Uint16(e[valueAt:])) }
func (e entry) size() int      { return headSize + e.keyLength() + e.space() }

// is reports whether e is the entry of key.
func (e entry) is(key []byte) bool {
	return e.keyLength() == len(key) && bytes.Equal(e[headSize:headSize+len(key)], key)
}

// fill sets what is known about the key of e.
func (e entry) fill(value []byte, found bool, since uint64) {
	length := 0
	if found {
		length = 1 + copy(e[headSize+e.keyLength():], value)
	}
	binary.LittleEndian.PutUint16(e[valueAt:], uint16(length))
	binary.LittleEndian.PutUint64(e[sinceAt:], since)
}

func (s *shard) at(position uint64) entry { return s.ring[position%s.capacity:] }

func (s *shard) get(dst []byte, hash uint64, key []byte) ([]byte, Answer, uint64) {
	position, ok := s.index[hash]
	if !ok {
		return dst, Unknown, 0
	}
	e := s.at(position)
	length := e.length()
	if length == vacant || !e.is(key) { // or a different key with the same hash
		return dst, Unknown, 0
	}
	e[readAt] = 1
	since := binary.LittleEndian.Uint64(e[sinceAt:])
	if length == 0 {
		return dst, Absent, since
	}
	value := e[headSize+len(key):]
	return append(dst, value[:length-1]...), Found, since
}

// vacate removes the key with this hash, and reports whether it was known. Its space remains
// for what is put next, so a key that changes often does not fill the ring.
func (s *shard) vacate(hash uint64) (known bool) {
	position, ok := s.index[hash]
	if !ok {
		return false
	}
	e := s.at(position)
	known = e.length() != vacant
	binary.LittleEndian.PutUint16(e[valueAt:], vacant)
	return known
}

// put adds what is known about key, in the place of its entry if that is large enough.
func (s *shard) put(hash uint64, key, value []byte, found bool, since uint64) {
	space := (len(value) + slack - 1) / slack * slack
	if headSize+len(key)+space > maxEntry || s.capacity == 0 {
		return
	}
	if position, ok := s.index[hash]; ok {
		if e := s.at(position); e.is(key) && len(value) <= e.space() {
			e.fill(value, found, since)
			return
		}
		delete(s.index, hash)
	}
	e := s.add(hash, headSize+len(key)+space)
	binary.LittleEndian.PutUint64(e[hashAt:], hash)
	binary.LittleEndian.PutUint16(e[keyAt:], uint16(len(key)))
	binary.LittleEndian.PutUint16(e[spaceAt:], uint16(space))
	e[readAt] = 0
	copy(e[headSize:], key)
	e.fill(value, found, since)
}

// add returns a new entry of this size, for which it makes room.
func (s *shard) add(hash uint64, size int) entry {
	for moves := maxMoves; !s.hasRoom(size); {
		e := s.removeFirst()
		if e == nil || e[readAt] == 0 || moves == 0 || !s.hasRoom(len(e)) {
			continue
		}
		moves--
		e[readAt] = 0
		copy(s.place(binary.LittleEndian.Uint64(e[hashAt:]), len(e)), e)
	}
	return s.place(hash, size)
}

// gap returns the number of bytes after the last entry that the next one of this size leaves
// empty, since entries are contiguous.
func (s *shard) gap(size int) uint64 {
	if rest := s.capacity - s.end%s.capacity; uint64(size) > rest {
		return rest
	}
	return 0
}

func (s *shard) hasRoom(size int) bool {
	return s.end+s.gap(size)+uint64(size)-s.begin <= s.capacity
}

// removeFirst removes the first entry, and returns a copy that is valid until the next call;
// nil if there was a gap or an entry that was replaced or vacated.
func (s *shard) removeFirst() entry {
	rest := s.capacity - s.begin%s.capacity
	if rest < headSize || s.at(s.begin).keyLength() == gapLength {
		s.begin += rest
		return nil
	}
	position, e := s.begin, s.at(s.begin)
	e = e[:e.size()]
	s.begin += uint64(len(e))
	hash := binary.LittleEndian.Uint64(e[hashAt:])
	if s.index[hash] != position {
		return nil
	}
	delete(s.index, hash)
	if e.length() == vacant {
		return nil
	}
	s.moved = append(s.moved[:0], e...)
	return s.moved
}

// place appends an entry with this size, for which there is room.
func (s *shard) place(hash uint64, size int) entry {
	if gap := s.gap(size); gap > 0 {
		if gap >= headSize {
			s.grow(s.end + headSize)
			binary.LittleEndian.PutUint16(s.at(s.end)[keyAt:], gapLength)
		}
		s.end += gap
	}
	position := s.end
	s.end += uint64(size)
	s.grow(s.end)
	s.index[hash] = position
	return s.at(position)[:size]
}

// grow lets the ring include all positions before end.
func (s *shard) grow(end uint64) {
	need := min(end, s.capacity)
	if need <= uint64(len(s.ring)) {
		return
	}
	grown := make([]byte, min(max(2*uint64(len(s.ring)), need), s.capacity))
	copy(grown, s.ring)
	s.ring = grown
}
