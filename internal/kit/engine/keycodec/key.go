package keycodec

import "encoding/binary"

// HashSize is the length in bytes of the partition hash inside a stored key.
const HashSize = 4

// Relation identifies a table or an index. Numbers are given out once and never
// reused, so the remains of a deleted table cannot appear in a new one.
type Relation uint32

// AppendRelation begins a stored key: the space that holds items and the
// relation's number. All keys of a relation share these bytes.
func AppendRelation(dst []byte, space byte, r Relation) []byte {
	return binary.BigEndian.AppendUint32(append(dst, space), uint32(r))
}

// ReserveHash appends room for a partition's hash. The encoded partition value
// goes right behind it; PutHash then fills the room.
func ReserveHash(dst []byte) []byte { return append(dst, make([]byte, HashSize)...) }

// PutHash fills the room in front of an encoded partition value with its hash.
func PutHash(partition []byte) {
	binary.BigEndian.PutUint32(partition, Hash(partition[HashSize:]))
}

// AppendHash appends a partition hash alone, which is where a segment begins.
func AppendHash(dst []byte, hash uint32) []byte {
	return binary.BigEndian.AppendUint32(dst, hash)
}

// Hash spreads encoded partition values evenly over all 32-bit numbers. It is
// part of the stored format and must not change.
func Hash(encoded []byte) uint32 {
	h := uint64(14695981039346656037)
	for _, b := range encoded {
		h = (h ^ uint64(b)) * 1099511628211
	}
	// The multiplications above leave little of the last bytes in the high
	// half, which is what segments are cut by; mix before folding.
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return uint32(h)
}

// Segment returns the hashes [from, to) that belong to one of total segments of
// a parallel scan. The last segment's to is 1<<32.
func Segment(segment, total int) (from, to uint64) {
	return uint64(segment) << 32 / uint64(total), uint64(segment+1) << 32 / uint64(total)
}

// After returns the smallest key larger than every key that begins with
// prefix, or nil when there is none.
func After(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xFF {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}
