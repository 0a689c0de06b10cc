package outbox

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/kit/bus"
)

// Committed delivers stored events. It returns when their receivers have succeeded or
// failed, or after d.Wait; the rest is then delivered in the background. Subscribers are
// notified once the response of ctx has been written.
func (d *Dispatcher) Committed(ctx context.Context, records ...Record) {
	if len(records) == 0 {
		return
	}
	why := d.cause(ctx)
	if outer := runOf(ctx); outer != nil && outer.add(records, why) {
		return
	}
	r := &run{Dispatcher: d, origin: ctx}
	r.add(records, why)
	if r.announced() {
		return
	}
	done := make(chan struct{})
	d.running.Go(func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deliveryTime)
		defer cancel()
		defer context.AfterFunc(d.cut, cancel)()
		_ = r.all(ctx) // recorded for a retry
	})
	timer := time.NewTimer(d.Wait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		r.cut.Store(true)
	}
}

// deliveryTime is the timeout of a receiver that runs in the background.
const deliveryTime = time.Minute

// InOrder calls commit, which stores a change with its events, after other calls with the
// same key have returned: a decision.Once, or a decision.Run if what is decided on changes
// with it. Subscribers in this process thus hear of these changes in the order of their
// commits. A commit must not call InOrder, nor may receivers of its events.
func (d *Dispatcher) InOrder(key string, commit func() error) error {
	defer d.commits.lock(key)()
	return commit()
}

// run delivers events in order, followed by the events that their receivers commit.
type run struct {
	*Dispatcher
	// origin is the context in which the first events were committed. Subscribers are
	// notified after its response has been written.
	origin context.Context
	// held is done when this process has no right to the event anymore, or nil if it needs none.
	held <-chan struct{}
	// cut is set when nobody waits for the run anymore.
	cut atomic.Bool
	// rows is the number of rows written by fan-outs so far.
	rows int

	mu      sync.Mutex
	queue   []claimed
	current claimed
	over    bool
}

// claimed is an event whose delivery has been claimed by a run.
type claimed struct {
	Record
	*delivery
	cause cause
}

type runKey struct{}

// runOf returns the run that called the receiver of ctx, or nil outside of receivers.
func runOf(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

// Delivering reports whether ctx is that of a receiver.
func (*Dispatcher) Delivering(ctx context.Context) bool { return runOf(ctx) != nil }

// lost reports whether the event is another process's. A receiver that runs then is not ended: it
// corrects what it has written if that has changed since it read it, and the new owner, which
// may have been earlier, does not do that for it.
func (r *run) lost() bool {
	select {
	case <-r.held:
		return true
	default:
		return false
	}
}

func (r *run) now() claimed {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current
}

// cause returns the cause of what has just been committed: that of the event whose receiver
// did so, or else the commit itself.
func (d *Dispatcher) cause(ctx context.Context) cause {
	if r := runOf(ctx); r != nil {
		return r.now().cause
	}
	return cause{d.Now(), d.Bus.Sequence()}
}

// recovered returns the cause of an event or a lane that this process has not committed.
// What is older than the process is older than its subscriptions.
func (d *Dispatcher) recovered(r Record) cause {
	if r.Since.Before(d.started) {
		return cause{r.Since, bus.Beginning}
	}
	return cause{r.Since, bus.Unknown}
}

// add queues events. It returns false if the run has ended.
func (r *run) add(records []Record, c cause) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return false
	}
	for _, record := range records {
		if c, ok := r.begin(record, c); ok {
			r.queue = append(r.queue, c)
		}
	}
	return true
}

func (r *run) next() (c claimed, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		r.over = true
		return c, false
	}
	c = r.queue[0]
	r.queue = r.queue[1:]
	r.current = c
	return c, true
}

// all delivers the queued events, including those queued meanwhile.
func (r *run) all(ctx context.Context) (err error) {
	ctx = context.WithValue(ctx, runKey{}, r)
	for first := true; ; first = false {
		c, more := r.next()
		if !more {
			return err
		}
		failure := r.deliver(ctx, c)
		r.end(ctx, c.delivery, c.Record, failure)
		if first {
			err = failure
		}
	}
}

// announced delivers the only queued event in this goroutine if its receivers just notify
// subscribers and no other event with its key is being delivered. It reports whether it has
// done so.
func (r *run) announced() bool {
	if len(r.queue) != 1 || !r.isQuick(r.queue[0].Record) {
		return false
	}
	c := r.queue[0]
	unlock, ok := r.keys.try(c.Key)
	if !ok {
		return false
	}
	defer unlock()
	ctx := context.WithoutCancel(r.origin)
	r.end(ctx, c.delivery, c.Record, r.attempt(ctx, c))
	return true
}

// isQuick reports whether all receivers of a new event only notify subscribers.
func (d *Dispatcher) isQuick(r Record) bool {
	_, joint := r.event.(Joint)
	return r.event != nil && !joint && !slices.ContainsFunc(d.receivers[r.Name], func(to *receiver) bool { return !to.quick && to.wants(r.event) })
}
