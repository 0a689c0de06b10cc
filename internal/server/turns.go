package server

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// turns lets each key run only so many operations at once. Others wait for their turn, in
// the order in which they came, so that one user's work is never all that the processors
// do.
type turns struct {
	most int64

	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	*semaphore.Weighted
	holders int // who run or wait
}

func newTurns(most int) *turns { return &turns{most: int64(most), of: map[string]*turn{}} }

// take waits until an operation may run or ctx ends. Whoever took a turn ends it.
func (t *turns) take(ctx context.Context, key string) (end func()) {
	t.mu.Lock()
	own := t.of[key]
	if own == nil {
		own = &turn{Weighted: semaphore.NewWeighted(t.most)}
		t.of[key] = own
	}
	own.holders++
	t.mu.Unlock()
	taken := own.Acquire(ctx, 1) == nil
	return func() {
		if taken {
			own.Release(1)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if own.holders--; own.holders == 0 {
			delete(t.of, key)
		}
	}
}
