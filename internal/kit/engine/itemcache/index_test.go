package itemcache

import (
	"math/rand/v2"
	"testing"
)

// TestIndexIsAMap compares an index with a map of the same entries. Few tags with the same
// lower bits make long runs of taken slots.
func TestIndexIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var x index
	want := map[uint64]uint32{}
	for step := range 200_000 {
		hash := uint64(random.IntN(300)*7) << 32
		if random.IntN(4) == 0 {
			hash = uint64(random.IntN(8)<<12|5) << 32
		}
		switch {
		case step%50_000 == 49_999:
			x.empty()
			clear(want)
		case random.IntN(2) == 0:
			at := random.Uint32() >> 1
			x.set(hash, at)
			want[hash] = at
		default:
			x.remove(hash)
			delete(want, hash)
		}
		at, ok := x.find(hash)
		if wantAt, wantOK := want[hash]; ok != wantOK || ok && at != wantAt || x.taken != len(want) {
			t.Fatalf("step %d: hash %x is at %d, %v among %d; want %d, %v among %d", step, hash, at, ok, x.taken, wantAt, wantOK, len(want))
		}
	}
	for hash, at := range want {
		if got, ok := x.find(hash); !ok || got != at {
			t.Errorf("hash %x is at %d, %v, want %d", hash, got, ok, at)
		}
	}
}
