package outbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"stoa/internal/kit/lease"
)

// grace is how long a process leaves alone what it does not know of: the process that
// has stored it is probably at it.
const grace = 2 * time.Second

// errHeldElsewhere means that another process has the lease of a worker.
var errHeldElsewhere = errors.New("another process delivers the events of this shard")

// worker is a queue that one process at a time works through.
type worker struct {
	*Dispatcher
	number int
	// name is that of the lease.
	name   string
	nudged chan struct{}

	// sweeping is held through a sweep and guards the lease.
	sweeping sync.Mutex
	lease    *lease.Lease
}

// nudge tells a run that there is something to do. One that is about to do it needs no
// second nudge.
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
	for next := look; ; {
		if err := next(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, errHeldElsewhere) {
			w.Log.ErrorContext(ctx, "events wait", "queue", w.name, "error", err)
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

// release gives the lease to others although ctx has ended.
func (w *worker) release(ctx context.Context) {
	w.sweeping.Lock()
	defer w.sweeping.Unlock()
	if w.lease == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := w.lease.Release(ctx); err != nil {
		w.Log.ErrorContext(ctx, "lease not given back", "queue", w.name, "error", err)
	}
	w.lease = nil
}

// hold takes or keeps the lease. The context ends with it, so that long work stops when
// another process takes over.
func (w *worker) hold(ctx context.Context) (held context.Context, end func(), err error) {
	if w.lease == nil || !w.lease.Held() {
		if w.lease, err = w.Leases.Take(ctx, w.name); err != nil {
			return nil, nil, err
		}
		if w.lease == nil {
			return nil, nil, errHeldElsewhere
		}
	}
	held, end = w.lease.Keep(ctx)
	return held, end, nil
}
