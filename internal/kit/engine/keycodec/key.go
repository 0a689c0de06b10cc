package keycodec

import "encoding/binary"

// HashSize is the length in bytes of the partition hash inside a stored key.
const HashSize = 4

// Relation identifies a table or an index. Numbers are never reused, so remnants of a
// deleted table cannot appear in a new one.
type Relation uint32

// AppendRelation appends the prefix common to all keys of a relation: the space for items
// and the relation's number.
func AppendRelation(dst []byte, space byte, r Relation) []byte {
	return binary.BigEndian.AppendUint32(append(dst, space), uint32(r))
}

// ReserveHash reserves space for a partition's hash. The encoded partition value must be
// appended next; PutHash then fills the space.
func ReserveHash(dst []byte) []byte { return append(dst, make([]byte, HashSize)...) }

// PutHash fills the space before an encoded partition value with its hash.
func PutHash(partition []byte) {
	binary.BigEndian.PutUint32(partition, Hash(partition[HashSize:]))
}

// AppendHash appends only a partition hash, which is the start of a segment.
func AppendHash(dst []byte, hash uint32) []byte {
	return binary.BigEndian.AppendUint32(dst, hash)
}

// Hash distributes encoded partition values uniformly over all 32-bit numbers. It is part
// of the storage format and must not change.
func Hash(encoded []byte) uint32 {
	h := uint64(14695981039346656037)
	for _, b := range encoded {
		h = (h ^ uint64(b)) * 1099511628211
	}
	// The multiplications above hardly propagate the last bytes to the high half, which
	// determines segments; mix before folding.
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
