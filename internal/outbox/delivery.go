package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/together"
)

// inlineRows is the approximate number of rows, rounded up to a chunk, that fan-outs write
// before a mutation is answered.
const inlineRows = 500

// Later, returned as a number of rows, moves a fan-out to its lane regardless of the rows
// written: its next chunk takes too long to wait for.
const Later = -1

// deliveryTime is the timeout of a receiver that runs in the background.
const deliveryTime = time.Minute

// Bounds of the backoff between two attempts to deliver an event. It doubles with each
// attempt.
const (
	firstPause = time.Second
	maxPause   = 5 * time.Minute
)

// delivery is the progress of one event's delivery in this process. All fields but left,
// which belongs to the goroutine running the delivery, are guarded by the Dispatcher's mu.
type delivery struct {
	// left are the receivers that have yet to succeed.
	left []*receiver
	// running is set while a goroutine delivers the event; ended is set once only the
	// event's removal is missing.
	running, ended bool
	shard          int
	backoff
}

// backoff is the retry state after failures.
type backoff struct {
	attempts int
	notUntil time.Time
}

func (b *backoff) postpone(now time.Time) {
	b.notUntil = now.Add(min(firstPause<<min(b.attempts, 16), maxPause))
	b.attempts++
}

// begin claims the delivery of r, unless it is running or has ended.
func (d *Dispatcher) begin(r Record) *delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	dl := d.begun[r.ID]
	if dl == nil {
		dl = &delivery{left: d.receivers[r.Name], shard: r.Shard()}
		d.begun[r.ID] = dl
	}
	if dl.running || dl.ended {
		return nil
	}
	dl.running = true
	return dl
}

// end records the result of a claimed delivery.
func (d *Dispatcher) end(ctx context.Context, dl *delivery, r Record, err error) {
	d.mu.Lock()
	dl.running = false
	dl.ended = err == nil
	if err != nil && ctx.Err() == nil { // an attempt aborted by a shutdown does not count
		dl.postpone(d.Now())
	}
	attempts, again := dl.attempts, dl.notUntil
	d.mu.Unlock()
	switch {
	case err == nil:
		d.Metrics.Delivered(r.Name, d.Now().Sub(r.At))
		d.shards[r.Shard()].delivered(r)
	case ctx.Err() == nil:
		d.Metrics.Failed(r.Name)
		d.Log.ErrorContext(ctx, "event not delivered", "event", r.ID, "name", r.Name, "key", r.Key,
			"attempts", attempts, "again", again, "error", err)
	}
}

// run delivers events in order, followed by the events that their receivers commit.
type run struct {
	*Dispatcher
	// origin is the context in which the first events were committed. Subscribers are
	// notified after its response has been written.
	origin context.Context
	// cut is set when nobody waits for the run anymore.
	cut atomic.Bool
	// rows is the number of rows written by fan-outs so far.
	rows int

	mu      sync.Mutex
	queue   []claimed
	current Record
	over    bool
}

type claimed struct {
	Record
	*delivery
}

type runKey struct{}

// runOf returns the run that called the receiver of ctx, or nil outside of receivers.
func runOf(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

func (r *run) since() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current.Since
}

// add queues events. It returns false if the run has ended.
func (r *run) add(records []Record) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return false
	}
	for _, record := range records {
		if dl := r.begin(record); dl != nil {
			r.queue = append(r.queue, claimed{record, dl})
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
	r.current = c.Record
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

// Committed delivers stored events. It returns when their receivers have succeeded or
// failed, or after d.Wait; the rest is then delivered in the background. Subscribers are
// notified once the response of ctx has been written.
func (d *Dispatcher) Committed(ctx context.Context, records ...Record) {
	if len(records) == 0 {
		return
	}
	if outer := runOf(ctx); outer != nil && outer.add(records) {
		return
	}
	r := &run{Dispatcher: d, origin: ctx}
	r.add(records)
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

// InOrder calls commit, which stores a change and passes its events to Committed, after other
// calls with the same key have returned. Subscribers in this process thus hear of these
// changes in the order of their commits. A commit must not call InOrder, nor may receivers
// of its events.
func (d *Dispatcher) InOrder(key string, commit func() error) error {
	lock := d.commits[hash(key)%uint32(len(d.commits))]
	lock.Lock()
	defer lock.Unlock()
	return commit()
}

// announced delivers the events at once if that is a single one which nothing waits for. It
// reports whether it has done so.
func (r *run) announced() bool {
	if len(r.queue) != 1 || !r.isQuick(r.queue[0].Record) {
		return false
	}
	c := r.queue[0]
	key := r.key(c.Key)
	if !key.TryLock() {
		return false
	}
	defer key.Unlock()
	ctx := context.WithoutCancel(r.origin)
	r.end(ctx, c.delivery, c.Record, r.attempt(ctx, c))
	return true
}

// isQuick reports whether all receivers of a new event only notify subscribers.
func (d *Dispatcher) isQuick(r Record) bool {
	return r.event != nil && !slices.ContainsFunc(d.receivers[r.Name], func(to *receiver) bool { return !to.quick && to.wants(r.event) })
}

// deliver makes one attempt to deliver an event, after others with its key.
func (r *run) deliver(ctx context.Context, c claimed) error {
	key := r.key(c.Key)
	key.Lock()
	defer key.Unlock()
	return r.attempt(ctx, c)
}

// attempt makes one attempt to deliver an event. A failing receiver does not prevent others
// from being called.
func (r *run) attempt(ctx context.Context, c claimed) error {
	if len(r.receivers[c.Name]) == 0 {
		return fmt.Errorf("event %s has no receiver", c.Name)
	}
	var heard []Message
	tell := func(messages ...Message) { heard = append(heard, messages...) }
	var errs []error
	var left []*receiver
	for _, receiver := range c.left {
		if err := r.receive(ctx, receiver, c.Record, tell); err != nil {
			errs = append(errs, err)
			left = append(left, receiver)
		}
	}
	c.left = left
	r.publish(r.origin, c.Record, heard)
	return errors.Join(errs...)
}

// receive calls a receiver, and moves remaining work to a lane.
func (r *run) receive(ctx context.Context, to *receiver, record Record, tell Tell) error {
	if to.lane == "" {
		_, _, err := call(ctx, to, record, "", tell)
		return err
	}
	cursor := ""
	for r.rows <= inlineRows && !r.cut.Load() && !r.lanes[record.Shard()].behind(to.lane, record.Key) {
		next, rows, err := call(ctx, to, record, cursor, tell)
		if err != nil && cursor == "" {
			return err
		}
		if err == nil && next == "" {
			r.rows += max(0, rows)
			return nil
		}
		if err == nil && rows == Later {
			cursor = next
			break
		}
		r.rows += rows
		if err != nil {
			r.Log.ErrorContext(ctx, "fan-out failed; continuing later", "event", record.ID, "name", record.Name, "lane", to.lane, "error", err)
			break
		}
		cursor = next
	}
	return r.lanes[record.Shard()].open(ctx, r.origin, Lane{Record: record, Name: to.lane, Cursor: cursor})
}

// call converts a receiver's panic to an error: otherwise the event would be redelivered
// after a restart and crash that process as well.
func call(ctx context.Context, to *receiver, record Record, cursor string, tell Tell) (next string, rows int, err error) {
	err = together.Safely(func() (err error) {
		next, rows, err = to.receive(ctx, record, cursor, tell)
		return err
	})
	return next, rows, err
}

// publish notifies subscribers of an event once the response of origin has been written, and
// those of earlier events with its key have been notified.
func (d *Dispatcher) publish(origin context.Context, record Record, messages []Message) {
	d.tell(origin, record.Since, record.Key, messages, "event", record.ID, "name", record.Name)
}

// Tell notifies those who already listened at the time of a change, once the response of
// ctx has been written. It is for changes without an event: a crash before that loses the
// messages.
func (d *Dispatcher) Tell(ctx context.Context, since time.Time, messages ...Message) {
	d.tell(ctx, since, "", messages)
}

// tell is Tell for messages about an event, whose ordering key is empty if there is none.
func (d *Dispatcher) tell(origin context.Context, since time.Time, key string, messages []Message, of ...any) {
	var heard []Message
	for _, m := range messages {
		if d.Bus.Heard(m.Subject()) { // later subscribers do not receive it anyway
			heard = append(heard, m)
		}
	}
	if len(heard) == 0 {
		return
	}
	ctx := context.WithoutCancel(origin)
	publish := func() {
		for _, m := range heard {
			if err := Publish(ctx, d.Bus, since, m); err != nil {
				// Subscribers may miss a message: messages are not stored, and clients
				// refetch.
				d.Log.ErrorContext(ctx, "message lost", append(of, "subject", m.Subject(), "error", err)...)
			}
		}
	}
	if key != "" {
		publish = d.order.next(key, publish)
	}
	after.Do(ctx, publish)
}
