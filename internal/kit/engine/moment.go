package engine

import (
	"slices"
	"sync"
	"sync/atomic"
)

// moments numbers the writes, so that readers with a snapshot of the store can tell whether
// a cached item is the one in the snapshot. The zero value is ready for use.
type moments struct {
	mu    sync.Mutex
	last  uint64   // the last number given out
	under []uint64 // numbers of writes in progress, in order
	// past is the last number before which no write is in progress.
	past atomic.Uint64
}

// now returns a number such that the store shows all writes up to it. A snapshot taken
// afterwards contains them, and perhaps some later ones.
func (m *moments) now() uint64 { return m.past.Load() }

// begin returns the number of a write before the store shows it.
func (m *moments) begin() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	m.under = append(m.under, m.last)
	return m.last
}

// end records that the store shows write n, or that it failed.
func (m *moments) end(n uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, _ := slices.BinarySearch(m.under, n)
	m.under = slices.Delete(m.under, i, i+1)
	if len(m.under) > 0 {
		m.past.Store(m.under[0] - 1)
	} else {
		m.past.Store(m.last)
	}
}
