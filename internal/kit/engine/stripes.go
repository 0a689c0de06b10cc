package engine

import (
	"hash/maphash"
	"slices"
	"sync"
)

// stripeCount is how many locks all items share. Two items meet on one lock by
// chance; that costs them a wait, never correctness.
const stripeCount = 2048

// stripes are the locks of items. A request locks all stripes it needs at once
// and in ascending order, so requests cannot wait for each other in a circle.
type stripes struct {
	locks [stripeCount]sync.Mutex
}

var stripeSeed = maphash.MakeSeed()

func stripeOf(key []byte) int { return int(maphash.Bytes(stripeSeed, key) % stripeCount) }

// lock locks the given stripes, which it sorts and rids of duplicates, and
// returns those to unlock.
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
