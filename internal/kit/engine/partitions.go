package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// Tables of the storage have a bloom filter of their partitions among their properties,
// which are kept in memory while a table is open. A range within a partition is therefore
// read only from tables that may contain parts of it, which helps most for recent tables,
// because these overlap.

const (
	// partitionsProperty is the name of the filters in the storage and must not change.
	partitionsProperty = "stoa.partitions"
	bitsPerPartition   = 10
	partitionProbes    = 6
)

// partition identifies all stored keys with the same relation and hash.
type partition uint64

// partitionOf returns the partition of a stored key, if it is that of an item.
func partitionOf(key []byte) (partition, bool) {
	if len(key) < hashEnd {
		return 0, false
	}
	return partition(binary.BigEndian.Uint64(key[hashEnd-8:])), true
}

// partition returns the partition that contains all of s, if there is one.
func (s *span) partition() (partition, bool) {
	p, ok := partitionOf(s.lower)
	return p, ok && bytes.HasPrefix(s.upper, s.lower[:hashEnd])
}

// probes calls f with the bits of p in a filter of n bits, until f returns false.
func (p partition) probes(n uint64, f func(bit uint64) bool) bool {
	h := uint64(p) * 0x9E3779B97F4A7C15
	h ^= h >> 32
	for range partitionProbes {
		h *= 0xD6E8FEB86659FD93
		bit, _ := bits.Mul64(h, n)
		if !f(bit) {
			return false
		}
		h ^= h >> 32
	}
	return true
}

// partitionCollector collects the filter of one table. It has no filters for blocks.
type partitionCollector struct{ seen []partition }

func newPartitionCollector() pebble.BlockPropertyCollector { return &partitionCollector{} }

func (*partitionCollector) Name() string { return partitionsProperty }

func (c *partitionCollector) AddPointKey(key pebble.InternalKey, _ []byte) error {
	p, ok := partitionOf(key.UserKey)
	if ok && (len(c.seen) == 0 || c.seen[len(c.seen)-1] != p) {
		c.seen = append(c.seen, p)
	}
	return nil
}

func (c *partitionCollector) FinishTable(buf []byte) ([]byte, error) {
	at, size := len(buf), (len(c.seen)*bitsPerPartition+7)/8
	buf = append(buf, make([]byte, size)...)
	filter := buf[at:]
	for _, p := range c.seen {
		p.probes(uint64(8*size), func(bit uint64) bool { filter[bit/8] |= 1 << (bit % 8); return true })
	}
	c.seen = nil
	return buf, nil
}

func (*partitionCollector) AddRangeKeys(sstable.Span) error             { return nil }
func (*partitionCollector) FinishDataBlock(buf []byte) ([]byte, error)  { return buf, nil }
func (*partitionCollector) AddPrevDataBlockToIndexBlock()               {}
func (*partitionCollector) FinishIndexBlock(buf []byte) ([]byte, error) { return buf, nil }
func (*partitionCollector) SupportsSuffixReplacement() bool             { return false }
func (*partitionCollector) AddCollectedWithSuffixReplacement(_, _, _ []byte) error {
	return errors.ErrUnsupported
}

// within restricts iterators to the tables that may have keys of a partition.
type within partition

func (within) Name() string { return partitionsProperty }

// Intersects reports whether a filter may contain the partition. An empty one, which blocks
// have, excludes nothing.
func (w within) Intersects(filter []byte) (bool, error) {
	if len(filter) == 0 {
		return true, nil
	}
	return partition(w).probes(uint64(8*len(filter)), func(bit uint64) bool { return filter[bit/8]&(1<<(bit%8)) != 0 }), nil
}

func (w within) SyntheticSuffixIntersects(filter, _ []byte) (bool, error) {
	return w.Intersects(filter)
}

// options returns the options of an iterator over s.
func (s *span) options() *pebble.IterOptions {
	o := &pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper}
	if p, ok := s.partition(); ok {
		o.PointKeyFilters = append(make([]pebble.BlockPropertyFilter, 0, 2), within(p)) // Pebble may add one
	}
	return o
}
