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

// Turn is work of a key that may run. Its methods must not be called concurrently.
type Turn struct {
	turns  *Turns
	key    string
	own    *turn
	weight int64 // 0 if it was not granted
}

// Begin waits until work with a weight from 1 to most may run. It fails when ctx is done
// first. The caller must call End in either case.
func (t *Turns) Begin(ctx context.Context, key string, weight int64) (*Turn, error) {
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
		if err := own.Acquire(ctx, weight); err != nil {
			return &Turn{t, key, own, 0}, err
		}
	}
	return &Turn{t, key, own, weight}, nil
}

// Lighten reduces the weight to 1, for work of which little is left.
func (u *Turn) Lighten() {
	if u.weight > 1 {
		u.own.Release(u.weight - 1)
		u.weight = 1
	}
}

// End ends the turn.
func (u *Turn) End() {
	if u.weight > 0 {
		u.own.Release(u.weight)
	}
	u.turns.mu.Lock()
	defer u.turns.mu.Unlock()
	if u.own.holders--; u.own.holders == 0 {
		delete(u.turns.of, u.key)
	}
}

// Acquire is Begin for work that has the same weight until its end.
func (t *Turns) Acquire(ctx context.Context, key string, weight int64) (end func(), err error) {
	u, err := t.Begin(ctx, key, weight)
	return u.End, err
}
