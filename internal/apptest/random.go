package apptest

import (
	"math/rand/v2"
	"sync"
)

// random is where a world's secrets come from: the same in every world that does the same.
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

// mark is where the secrets stand, and reset goes back to there.
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
