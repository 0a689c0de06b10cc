package server

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// turns limits how many operations each key runs at once, by their weight. Further ones wait
// in FIFO order, so that one user's work never takes all processors.
type turns struct {
	most int64

	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	*semaphore.Weighted
	holders int // running and waiting operations
}

func newTurns(most int) *turns { return &turns{most: int64(most), of: map[string]*turn{}} }

// take waits until an operation with a weight from 1 to most may run or ctx is done. The
// caller must call end.
func (t *turns) take(ctx context.Context, key string, weight int64) (end func()) {
	t.mu.Lock()
	own := t.of[key]
	if own == nil {
		own = &turn{Weighted: semaphore.NewWeighted(t.most)}
		t.of[key] = own
	}
	own.holders++
	t.mu.Unlock()
	// Waiting for ctx takes a timer, which costs more than acquiring a free slot.
	taken := own.TryAcquire(weight) || own.Acquire(ctx, weight) == nil
	return func() {
		if taken {
			own.Release(weight)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.holders--; own.holders == 0 {
			delete(t.of, key)
		}
	}
}
