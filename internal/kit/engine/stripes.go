package engine

import (
	"hash/maphash"
	"slices"
	"sync"
)

// stripeCount is the number of locks shared by all items. Two items with the same lock only
// cost a wait, never correctness.
const stripeCount = 2048

// stripes are the locks of items. A request locks all stripes it needs at once and in
// ascending order, which prevents deadlocks.
type stripes struct {
	locks [stripeCount]sync.Mutex
}

var stripeSeed = maphash.MakeSeed()

func stripeOf(key []byte) int { return int(maphash.Bytes(stripeSeed, key) % stripeCount) }

// lock sorts and deduplicates the given stripes, locks them, and returns those to unlock.
func (s *stripes) lock(wanted []int) []int {
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	for _, i := range wanted {
		s.locks[i].Lock()
	}
	return wanted
}

func (s *stripes) unlock(held []int) {
	for _, i := range held {
		s.locks[i].Unlock()
	}
}
