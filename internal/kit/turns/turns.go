// Package turns limits how much of something each key has running at once.
package turns

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Turns limits what each key, such as a user, runs at once, by weight. What exceeds the limit
// waits in FIFO order, so that nobody's work takes everything.
type Turns struct {
	most int64

	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	*semaphore.Weighted
	holders int // running and waiting
}

// New returns Turns that let each key run a total weight of most at once.
func New(most int) *Turns { return &Turns{most: int64(most), of: map[string]*turn{}} }

// Acquire waits until work with a weight from 1 to most may run. It fails when ctx is done
// first. The caller must call end in either case.
func (t *Turns) Acquire(ctx context.Context, key string, weight int64) (end func(), err error) {
	t.mu.Lock()
	own := t.of[key]
	if own == nil {
		own = &turn{Weighted: semaphore.NewWeighted(t.most)}
		t.of[key] = own
	}
	own.holders++
	t.mu.Unlock()
	// Waiting for ctx takes a timer, which costs more than acquiring a free slot.
	if !own.TryAcquire(weight) {
		err = own.Acquire(ctx, weight)
	}
	return func() {
		if err == nil {
			own.Release(weight)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.holders--; own.holders == 0 {
			delete(t.of, key)
		}
	}, err
}
