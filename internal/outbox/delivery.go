package outbox

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/kit/after"
)

// inlineRows is how many rows fan-outs write before a mutation answers, to within a
// chunk.
const inlineRows = 500

// Later, in place of a number of rows, has a fan-out go on in its lane, whatever was
// written: the next chunk takes too long for anybody to wait for.
const Later = -1

// deliveryTime is when a receiver is stopped that goes on behind an answer.
const deliveryTime = time.Minute

// Bounds of the time between two attempts to deliver an event. It doubles with each.
const (
	firstPause = time.Second
	maxPause   = 5 * time.Minute
)

// delivery is how far the delivery of one event has come in this process. The
// Dispatcher's mu guards all but left, which belongs to whoever is running it.
type delivery struct {
	// left are the receivers that have not succeeded yet.
	left []*receiver
	// running: a goroutine is at it. ended: only the removal is missing.
	running, ended bool
	shard          int
	backoff
}

// backoff postpones what failed.
type backoff struct {
	attempts int
	notUntil time.Time
}

func (b *backoff) postpone(now time.Time) {
	b.notUntil = now.Add(min(firstPause<<min(b.attempts, 16), maxPause))
	b.attempts++
}

// begin claims the delivery of r, unless it is under way or has ended.
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

// end notes what came of a delivery that begin has claimed.
func (d *Dispatcher) end(ctx context.Context, dl *delivery, r Record, err error) {
	d.mu.Lock()
	dl.running = false
	dl.ended = err == nil
	if err != nil && ctx.Err() == nil { // an attempt that ends with the process is none
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

// run delivers events one after the other, with those that their receivers commit
// behind them.
type run struct {
	*Dispatcher
	// origin is the context of whatever committed the first ones; its answer comes before
	// subscribers hear of them.
	origin context.Context
	// cut: nobody waits any more.
	cut atomic.Bool
	// rows were written by fan-outs so far.
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

// runOf is the run that calls the receiver of ctx, nil outside of receivers.
func runOf(ctx context.Context) *run {
	r, _ := ctx.Value(runKey{}).(*run)
	return r
}

func (r *run) since() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current.Since
}

// add queues events. It reports false when the run is over.
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

// all delivers what is queued, and what comes up meanwhile.
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

// Committed delivers events that are stored, and returns when their receivers have
// succeeded or failed, or after d.Wait: the rest goes on behind the answer that ctx
// belongs to. Subscribers hear of it once that has been written.
func (d *Dispatcher) Committed(ctx context.Context, records ...Record) {
	if len(records) == 0 {
		return
	}
	if outer := runOf(ctx); outer != nil && outer.add(records) {
		return
	}
	r := &run{Dispatcher: d, origin: ctx}
	r.add(records)
	done := make(chan struct{})
	d.running.Go(func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deliveryTime)
		defer cancel()
		_ = r.all(ctx) // noted for another attempt
	})
	timer := time.NewTimer(d.Wait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		r.cut.Store(true)
	}
}

// deliver makes one attempt to deliver an event. A receiver that fails does not keep the
// others from theirs.
func (r *run) deliver(ctx context.Context, c claimed) error {
	if len(r.receivers[c.Name]) == 0 {
		return fmt.Errorf("nobody receives events %s", c.Name)
	}
	key := r.key(c.Key)
	key.Lock()
	defer key.Unlock()
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

// receive calls a receiver, and hands on to a lane what is too much for now.
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
			r.Log.ErrorContext(ctx, "fan-out goes on later", "event", record.ID, "name", record.Name, "lane", to.lane, "error", err)
			break
		}
		cursor = next
	}
	return r.lanes[record.Shard()].open(ctx, r.origin, Lane{Record: record, Name: to.lane, Cursor: cursor})
}

// call turns a receiver's panic into a failure: the event would be delivered again
// after a restart, and end that process too.
func call(ctx context.Context, to *receiver, record Record, cursor string, tell Tell) (next string, rows int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("receiver panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return to.receive(ctx, record, cursor, tell)
}

// publish tells subscribers of an event once the answer that origin belongs to has been
// written.
func (d *Dispatcher) publish(origin context.Context, record Record, messages []Message) {
	d.tell(origin, record.Since, messages, "event", record.ID, "name", record.Name)
}

// Tell tells those who listened already when a change was decided, once the answer that ctx
// belongs to has been written. It is for what nobody receives as an event: a crash before
// that loses the messages.
func (d *Dispatcher) Tell(ctx context.Context, since time.Time, messages ...Message) {
	d.tell(ctx, since, messages)
}

func (d *Dispatcher) tell(origin context.Context, since time.Time, messages []Message, of ...any) {
	var heard []Message
	for _, m := range messages {
		if d.Bus.Heard(m.Subject()) { // whoever comes later does not hear it anyway
			heard = append(heard, m)
		}
	}
	if len(heard) == 0 {
		return
	}
	ctx := context.WithoutCancel(origin)
	after.Do(ctx, func() {
		for _, m := range heard {
			if err := Publish(ctx, d.Bus, since, m); err != nil {
				// Subscribers may miss a message: nothing is kept for them, and they look again.
				d.Log.ErrorContext(ctx, "message lost", append(of, "subject", m.Subject(), "error", err)...)
			}
		}
	})
}
