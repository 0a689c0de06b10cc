package itemcache

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// generations is how many buffers a shard has. One is filled; when it is full it
// becomes the old one, and the one that was old is emptied and filled anew. What is
// asked for in the old one moves to the new one, and so stays.
const generations = 2

// overhead is about what the index takes for an entry, in bytes.
const overhead = 24

// shard is a part of a cache.
type shard struct {
	mu         sync.Mutex
	young, old generation
	room       int // of one generation, in bytes

	last uint64 // number of the last write that began
}

// generation is entries one after another: the lengths of key and value, the number of
// a write, then key and value. The length of a value is one more than it is, as 0 stands
// for an absent item.
type generation struct {
	index   map[uint64]uint32 // hash of a key → where its entry begins
	entries []byte
}

func (s *shard) open(room int) {
	s.room = room
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

// put enters what is known about key. An older entry of it must have been dropped or
// be the same.
func (s *shard) put(hash uint64, key, value []byte, found bool, since uint64) {
	size := maxHead + len(key) + len(value)
	if size > maxEntry || s.room == 0 {
		return
	}
	if s.young.taken()+overhead+size > s.room {
		s.young, s.old = s.old, s.young
		clear(s.young.index)
		s.young.entries = s.young.entries[:0]
	}
	delete(s.old.index, hash)
	s.young.add(hash, key, value, found, since, s.room)
}

// drop forgets the key with this hash and reports whether it was known.
func (s *shard) drop(hash uint64) bool {
	_, young := s.young.index[hash]
	_, old := s.old.index[hash]
	delete(s.young.index, hash)
	delete(s.old.index, hash)
	return young || old
}

func (g *generation) taken() int { return len(g.entries) + overhead*len(g.index) }

// maxHead is what an entry takes at most besides key and value.
const maxHead = 2*binary.MaxVarintLen32 + binary.MaxVarintLen64

// find returns what is known about key, in place.
func (g *generation) find(hash uint64, key []byte) (value []byte, answer Answer, since uint64) {
	at, ok := g.index[hash]
	if !ok {
		return nil, Unknown, 0
	}
	entry := g.entries[at:]
	keyLength, n := binary.Uvarint(entry)
	entry = entry[n:]
	valueLength, n := binary.Uvarint(entry)
	entry = entry[n:]
	since, n = binary.Uvarint(entry)
	entry = entry[n:]
	if !bytes.Equal(entry[:keyLength], key) {
		return nil, Unknown, 0 // another key with the same hash
	}
	if valueLength == 0 {
		return nil, Absent, since
	}
	return entry[keyLength : keyLength+valueLength-1], Found, since
}

// add appends an entry. The buffer doubles up to room, which the entry fits in.
func (g *generation) add(hash uint64, key, value []byte, found bool, since uint64, room int) {
	if need := len(g.entries) + maxHead + len(key) + len(value); need > cap(g.entries) {
		grown := make([]byte, len(g.entries), min(max(2*cap(g.entries), 2*need), room))
		copy(grown, g.entries)
		g.entries = grown
	}
	g.index[hash] = uint32(len(g.entries))
	g.entries = binary.AppendUvarint(g.entries, uint64(len(key)))
	length := 0
	if found {
		length = len(value) + 1
	}
	g.entries = binary.AppendUvarint(g.entries, uint64(length))
	g.entries = binary.AppendUvarint(g.entries, since)
	g.entries = append(g.entries, key...)
	if found {
		g.entries = append(g.entries, value...)
	}
}
