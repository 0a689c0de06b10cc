package itemcache

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// generations is the number of buffers of a shard. One is filled; when it is full it
// becomes the old one, and the previous old one is emptied and filled again. An entry read
// from the old one is moved to the new one, and so survives.
const generations = 2

// overhead is the approximate index size per entry, in bytes.
const overhead = 24

// shard is a part of a cache.
type shard struct {
	mu         sync.Mutex
	young, old generation
	turns      uint64 // how often a generation was emptied
	capacity   int    // of one generation, in bytes

	last uint64 // number of the last write that began
}

// generation is a sequence of entries: a head, the key, and space for a value.
type generation struct {
	index   map[uint64]uint32 // hash of a key → where its entry begins
	entries []byte
}

// The head of an entry contains the lengths of the key and of the space for the value, the
// length of the value plus one (0 means an absent item), and the sequence number of a write.
const (
	keyAt, spaceAt, valueAt, sinceAt = 0, 2, 4, 6

	headSize = sinceAt + 8
)

// slack is the multiple that spaces are rounded up to, so that most changed values, such as
// those with a counter, fit into the space of the previous one.
const slack = 16

func (s *shard) open(capacity int) {
	s.capacity = capacity
	s.young.index, s.old.index = map[uint64]uint32{}, map[uint64]uint32{}
}

func (s *shard) get(dst []byte, hash uint64, key []byte) ([]byte, Answer, uint64) {
	if value, answer, since := s.young.find(hash, key); answer != Unknown {
		return append(dst, value...), answer, since
	}
	value, answer, since := s.old.find(hash, key)
	if answer == Unknown {
		return dst, Unknown, 0
	}
	dst = append(dst, value...)
	s.put(hash, key, dst[len(dst)-len(value):], answer == Found, since)
	return dst, answer, since
}

// put adds what is known about key. An older entry of it must have been dropped or be the
// same.
func (s *shard) put(hash uint64, key, value []byte, found bool, since uint64) {
	size := headSize + len(key) + spaceFor(value)
	if size > maxEntry || s.capacity == 0 {
		return
	}
	if s.young.taken()+overhead+size > s.capacity {
		s.young, s.old = s.old, s.young
		clear(s.young.index)
		s.young.entries = s.young.entries[:0]
		s.turns++
	}
	delete(s.old.index, hash)
	s.young.add(hash, key, value, found, since, s.capacity)
}

// drop removes the key with this hash and returns its location.
func (s *shard) drop(hash uint64) dropped {
	at, young := s.young.index[hash]
	_, old := s.old.index[hash]
	delete(s.young.index, hash)
	delete(s.old.index, hash)
	return dropped{known: young || old, young: young, at: at, turns: s.turns}
}

// dropped is the location of a removed entry.
type dropped struct {
	known bool
	young bool // it was in the young generation
	at    uint32
	turns uint64
}

// restore adds what is now known about key, in the dropped location if it still exists and
// is large enough, so that a key that changes often does not fill the generation.
func (s *shard) restore(was dropped, hash uint64, key, value []byte, found bool, since uint64) {
	if _, taken := s.young.index[hash]; !taken && was.young && was.turns == s.turns &&
		s.young.replace(was.at, key, value, found, since) {
		s.young.index[hash] = was.at
		return
	}
	s.put(hash, key, value, found, since)
}

func (g *generation) taken() int { return len(g.entries) + overhead*len(g.index) }

// find returns what is known about key, without copying.
func (g *generation) find(hash uint64, key []byte) (value []byte, answer Answer, since uint64) {
	at, ok := g.index[hash]
	if !ok {
		return nil, Unknown, 0
	}
	head, rest := g.entries[at:at+headSize], g.entries[at+headSize:]
	keyLength := int(binary.LittleEndian.Uint16(head[keyAt:]))
	if !bytes.Equal(rest[:keyLength], key) {
		return nil, Unknown, 0 // a different key with the same hash
	}
	since = binary.LittleEndian.Uint64(head[sinceAt:])
	length := int(binary.LittleEndian.Uint16(head[valueAt:]))
	if length == 0 {
		return nil, Absent, since
	}
	return rest[keyLength : keyLength+length-1], Found, since
}

// add appends an entry. The buffer doubles up to capacity, which must suffice for the entry.
func (g *generation) add(hash uint64, key, value []byte, found bool, since uint64, capacity int) {
	at, size := len(g.entries), headSize+len(key)+spaceFor(value)
	if need := at + size; need > cap(g.entries) {
		grown := make([]byte, at, min(max(2*cap(g.entries), 2*need), capacity))
		copy(grown, g.entries)
		g.entries = grown
	}
	g.entries = g.entries[:at+size]
	entry := g.entries[at:]
	binary.LittleEndian.PutUint16(entry[keyAt:], uint16(len(key)))
	binary.LittleEndian.PutUint16(entry[spaceAt:], uint16(spaceFor(value)))
	copy(entry[headSize:], key)
	fill(entry, len(key), value, found, since)
	g.index[hash] = uint32(at)
}

// replace replaces the value of the entry at a location if it is that of key. It reports
// whether the value fits.
func (g *generation) replace(at uint32, key, value []byte, found bool, since uint64) bool {
	entry := g.entries[at:]
	keyLength, space := int(binary.LittleEndian.Uint16(entry[keyAt:])), int(binary.LittleEndian.Uint16(entry[spaceAt:]))
	if len(value) > space || !bytes.Equal(entry[headSize:headSize+keyLength], key) {
		return false
	}
	fill(entry, keyLength, value, found, since)
	return true
}

func fill(entry []byte, keyLength int, value []byte, found bool, since uint64) {
	length := 0
	if found {
		length = 1 + copy(entry[headSize+keyLength:], value)
	}
	binary.LittleEndian.PutUint16(entry[valueAt:], uint16(length))
	binary.LittleEndian.PutUint64(entry[sinceAt:], since)
}

func spaceFor(value []byte) int { return (len(value) + slack - 1) / slack * slack }
