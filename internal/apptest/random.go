package apptest

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// random is the source of a world's secrets, which is deterministic for a sequence of
// actions.
type random struct {
	mu     sync.Mutex
	source *rand.ChaCha8
}

func newRandom() *random { return &random{source: rand.NewChaCha8([32]byte{})} }

func (r *random) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.source.Read(p)
}

// mark returns the state of the source, and reset restores it.
func (r *random) mark() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	state, err := r.source.MarshalBinary()
	if err != nil {
		panic(err)
	}
	return state
}

func (r *random) reset(to []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.source.UnmarshalBinary(to); err != nil {
		panic(err)
	}
}

// Seeds returns the number of random histories of a kind, which short tests reduce.
func Seeds(most uint64) uint64 {
	if testing.Short() {
		return 2
	}
	return most
}
