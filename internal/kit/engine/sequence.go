package engine

import (
	"slices"
	"sync"
	"sync/atomic"
)

// sequence assigns sequence numbers to writes. Readers with a snapshot of the store compare
// them to find out whether a cached item is the one in the snapshot. The zero value is ready
// for use.
type sequence struct {
	mu     sync.Mutex
	last   uint64   // the last number assigned
	active []uint64 // numbers of writes in progress, ascending
	// upTo is the largest number up to which no write is in progress.
	upTo atomic.Uint64
}

// visible returns a number such that the store shows all writes up to it. A snapshot taken
// afterwards contains them, and perhaps some later ones.
func (s *sequence) visible() uint64 { return s.upTo.Load() }

// begin assigns a number to a write, before the store shows it.
func (s *sequence) begin() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.active = append(s.active, s.last)
	return s.last
}

// end records that the store shows write n, or that it failed.
func (s *sequence) end(n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearch(s.active, n)
	s.active = slices.Delete(s.active, i, i+1)
	if len(s.active) > 0 {
		s.upTo.Store(s.active[0] - 1)
	} else {
		s.upTo.Store(s.last)
	}
}
