package outbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"stoa/internal/kit/lease"
)

// grace is how long a process ignores unknown events and lanes, which the process that
// stored them is probably still delivering.
const grace = 2 * time.Second

// errHeldElsewhere means that another process holds the lease of a worker.
var errHeldElsewhere = errors.New("another process delivers the events of this shard")

// worker processes a queue that one process at a time may process.
type worker struct {
	*Dispatcher
	number int
	// name is the name of the lease.
	name   string
	nudged chan struct{}

	// sweeping is locked during a sweep and guards the lease.
	sweeping sync.Mutex
	lease    *lease.Lease
}

// nudge wakes up run. It has no effect if a wake-up is already pending.
func (w *worker) nudge() {
	select {
	case w.nudged <- struct{}{}:
	default:
	}
}

// run calls look at once and then periodically, and act after each nudge.
func (w *worker) run(ctx context.Context, look, act func(context.Context) error) {
	poll := time.NewTicker(w.Poll)
	defer poll.Stop()
	defer w.release(ctx)
	for next := look; ctx.Err() == nil; {
		if err := next(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, errHeldElsewhere) {
			w.Log.ErrorContext(ctx, "delivering events failed; retrying later", "queue", w.name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-w.nudged:
			next = act
		case <-poll.C:
			next = look
		}
	}
}

// release releases the lease, even if ctx is done.
func (w *worker) release(ctx context.Context) {
	w.sweeping.Lock()
	defer w.sweeping.Unlock()
	if w.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := w.lease.Release(ctx); err != nil {
		w.Log.ErrorContext(ctx, "releasing a lease failed", "queue", w.name, "error", err)
	}
	w.lease = nil
}

// hold acquires or renews the lease. The returned context ends with it, so that long work
// stops when another process takes over.
func (w *worker) hold(ctx context.Context) (held context.Context, end func(), err error) {
	if w.lease == nil || !w.lease.Held() {
		if w.lease, err = w.Leases.Acquire(ctx, w.name); err != nil {
			return nil, nil, err
		}
		if w.lease == nil {
			return nil, nil, errHeldElsewhere
		}
	}
	held, end = w.lease.Keep(ctx)
	return held, end, nil
}
