package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stoa/internal/kit/together"
	"stoa/internal/kit/trace"
)

// delivery is the progress of one event's delivery in this process. All fields but left,
// which belongs to the goroutine running the delivery, are guarded by the Dispatcher's mu.
type delivery struct {
	// left are the receivers that have yet to succeed.
	left []*receiver
	// running is set while a goroutine delivers the event; ended is set once only the
	// event's removal is missing.
	running, ended bool
	// since is when the event happened.
	since time.Time
	shard int
	// member is this process when the event came to wait: what it has become since has no right
	// to the event.
	member string
	cause  cause
	backoff
}

// Bounds of the backoff between two attempts to deliver an event. It doubles with each
// attempt.
const (
	firstPause = time.Second
	maxPause   = 5 * time.Minute
)

// backoff is the retry state after failures.
type backoff struct {
	attempts int
	// failure is the error of the last attempt.
	failure string
	// first is when the first attempt failed, notUntil when the next one may begin.
	first, notUntil time.Time
}

func (b *backoff) postpone(now time.Time, failure error) {
	b.failure = failure.Error()
	if b.attempts == 0 {
		b.first = now
	}
	b.notUntil = now.Add(min(firstPause<<min(b.attempts, 16), maxPause))
	b.attempts++
}

// begin claims the delivery of r, unless it is running or has ended. The cause is that of
// the first attempt.
func (d *Dispatcher) begin(r Record, c cause) (claimed, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dl := d.begun[r.ID]
	if dl == nil {
		dl = d.waits(r, c)
	}
	return claim(r, dl)
}

// waits notes an event that has not been delivered. d.mu is locked.
func (d *Dispatcher) waits(r Record, c cause) *delivery {
	dl := &delivery{
		left: d.receivers[r.Name], since: r.At, shard: r.Shard, member: d.owner.fence(), cause: c, backoff: r.Failures.backoff(),
	}
	d.begun[r.ID] = dl
	d.load[r.Shard]++
	return dl
}

func claim(r Record, dl *delivery) (claimed, bool) {
	if dl.running || dl.ended {
		return claimed{}, false
	}
	dl.running = true
	return claimed{r, dl, dl.cause}, true
}

// forget ends what waits notes. d.mu is locked.
func (d *Dispatcher) forget(id string) {
	if dl := d.begun[id]; dl != nil {
		delete(d.begun, id)
		d.load[dl.shard]--
	}
}

// end records the result of a claimed delivery.
func (d *Dispatcher) end(ctx context.Context, dl *delivery, r Record, err error) {
	d.mu.Lock()
	dl.running = false
	dl.ended = err == nil
	counts := ctx.Err() == nil && !errors.Is(err, ErrNotOwner) // an attempt aborted by a shutdown, or without a right, does not
	if err != nil && counts {
		dl.postpone(d.Now(), err)
	}
	b := dl.backoff
	d.mu.Unlock()
	switch {
	case err == nil:
		d.Metrics.Delivered(r.Name, d.Now().Sub(r.At))
		d.remove(r)
		return
	case counts:
		d.Metrics.Failed(r.Name)
		d.Log.ErrorContext(ctx, "event not delivered", "event", r.ID, "name", r.Name, "key", r.Key,
			"attempts", b.attempts, "again", b.notUntil, "error", err)
		member := d.rightOf(dl.member)
		d.storeFailures(ctx, member, Lane{Record: r}, b)
		if d.isHopeless(r, b) && d.park(ctx, member, Lane{Record: r}, b, err) {
			d.mu.Lock()
			d.forget(r.ID)
			d.mu.Unlock()
			return
		}
	}
	d.turns.postpone(d.eventJob(r), b.notUntil)
}

// eventJob returns the job of an attempt to deliver an event that waits.
func (d *Dispatcher) eventJob(r Record) *job {
	return &job{id: r.ID, track: "event " + r.Key, slow: slow(r.Key), do: func(ctx context.Context) bool {
		d.mu.Lock()
		dl := d.begun[r.ID]
		if dl == nil {
			d.mu.Unlock()
			return false
		}
		c, ok := claim(r, dl)
		d.mu.Unlock()
		if !ok {
			return false
		}
		run := &run{Dispatcher: d, origin: ctx, held: d.owner.held(), queue: []claimed{c}}
		if err := run.all(ctx); err != nil {
			report(ctx, r.ID, err)
		}
		return false
	}}
}

// deliver makes one attempt to deliver an event, after others with its keys.
func (r *run) deliver(ctx context.Context, c claimed) error {
	defer r.keys.lockAll(c.Record.keys())()
	return r.attempt(ctx, c)
}

// attempt makes one attempt to deliver an event. A failing receiver does not prevent others
// from being called.
func (r *run) attempt(ctx context.Context, c claimed) error {
	ctx, span := r.Tracer.Continue(ctx, c.Trace, trace.Received, "deliver", c.Name)
	defer span.End()
	span.Set("messaging.message.id", c.ID)
	if len(r.receivers[c.Name]) == 0 {
		return fmt.Errorf("event %s has no receiver", c.Name)
	}
	var heard []Message
	tell := func(messages ...Message) { heard = append(heard, messages...) }
	var errs []error
	var left []*receiver
	for _, receiver := range c.left {
		if r.lost() {
			errs = append(errs, ErrNotOwner)
			left = append(left, receiver)
			continue
		}
		if err := r.receive(ctx, receiver, c, tell); err != nil {
			errs = append(errs, err)
			left = append(left, receiver)
		}
	}
	if len(errs) > 0 {
		span.Fail("failed")
	}
	c.left = left
	r.publish(span.In(r.origin), c.Record, c.cause, heard)
	return errors.Join(errs...)
}

// receive calls a receiver, and moves remaining work to a lane.
func (r *run) receive(ctx context.Context, to *receiver, c claimed, tell Tell) error {
	record := c.Record
	if to.lane == "" {
		_, _, err := call(ctx, to, record, "", tell)
		return err
	}
	cursor := ""
	// Most fan-outs end with the first chunk, which therefore does not become a lane if nobody waits
	// anymore: a lane costs two transactions and a turn.
	for r.rows <= inlineRows && (cursor == "" || !r.cut.Load()) && !r.turns.busy(trackOf(to.lane, record.Key)) {
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
	return r.open(ctx, r.origin, Lane{Record: record, Name: to.lane, Cursor: cursor}, c.cause)
}

// inlineRows is the approximate number of rows, rounded up to a chunk, that fan-outs write
// before a mutation is answered.
const inlineRows = 500

// Later, returned as a number of rows, moves a fan-out to its lane regardless of the rows
// written: its next chunk takes too long to wait for.
const Later = -1

// call converts a receiver's panic to an error: otherwise the event would be redelivered
// after a restart and crash that process as well.
func call(ctx context.Context, to *receiver, record Record, cursor string, tell Tell) (next string, rows int, err error) {
	ctx, span := trace.Start(ctx, trace.Internal, "receive", to.name)
	defer span.End()
	err = together.Safely(func() (err error) {
		next, rows, err = to.receive(ctx, record, cursor, tell)
		return err
	})
	if err != nil {
		span.Fail("failed")
	}
	return next, rows, err
}
