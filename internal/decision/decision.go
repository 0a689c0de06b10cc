// Package decision runs the decisions of areas: read facts, apply a rule, write on the
// condition that the facts still hold, together with events, and return what was decided.
//
// Events that were stored are delivered by Run, so an area can neither forget to report a
// stored event nor report one that was not stored.
package decision

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/idempotency"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
)

// Frame holds what all decisions of a system share: a clock, a source of ids and the outbox.
// The service of an area embeds it.
type Frame struct {
	Clock func() time.Time
	// Precision is the precision of stored times, except those of events; 0 means microseconds.
	Precision time.Duration
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// Events delivers events. If it is nil, no events are created.
	Events outbox.Sender
}

// Now returns the current time in the precision of the store.
func (f Frame) Now() time.Time {
	precision := f.Precision
	if precision == 0 {
		precision = time.Microsecond
	}
	return f.Clock().UTC().Truncate(precision)
}

// Await waits until the clock has reached t, a stored time that may be slightly in the future
// because the clock of another process is ahead, or until ctx is done. It waits at most one
// second: clocks that differ more are wrong.
func (f Frame) Await(ctx context.Context, t time.Time) {
	if t.IsZero() {
		return
	}
	ahead := t.Sub(f.Now())
	if ahead <= 0 {
		return
	}
	timer := time.NewTimer(min(ahead, maxAhead))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// maxAhead is the maximum difference between the clocks of processes.
const maxAhead = time.Second

// Run runs a decision. It calls decide, and calls it again if what it read has changed
// meanwhile (refusal.Conflict; retry.OnConflict has the limit). Events that were stored are
// delivered as outbox.Sender.Committed says, even if the attempt that stored them fails
// later. If the attempt succeeds, each event that it emitted must have been stored;
// otherwise Run returns an error.
func Run[T any](ctx context.Context, f Frame, decide func(a *Attempt) (T, error)) (T, error) {
	return retry.OnConflict(func() (T, error) { return Once(ctx, f, decide) })
}

// Do is Run for a decision without a result.
func Do(ctx context.Context, f Frame, decide func(a *Attempt) error) error {
	_, err := Run(ctx, f, func(a *Attempt) (struct{}, error) { return struct{}{}, decide(a) })
	return err
}

// Once is Run with a single attempt: conflicts are returned. It is for steps that a larger
// decision commits on their own.
func Once[T any](ctx context.Context, f Frame, decide func(a *Attempt) (T, error)) (T, error) {
	a := Attempt{ctx: ctx, frame: f}
	end := idempotency.Decide(ctx)
	result, err := decide(&a)
	end()
	stored, lost := a.stored()
	kind := refusal.KindOf(err)
	doubtful := lost != "" && err != nil && (kind == 0 || kind == refusal.Fault)
	if err == nil && lost != "" {
		err = fmt.Errorf("decision: event %s was not stored with its change", lost)
	}
	if err == nil && len(a.messages) > 0 && f.Events != nil {
		f.Events.Tell(ctx, a.messages...) // before anybody else subscribes
	}
	if len(stored) > 0 {
		f.Events.Committed(ctx, stored...)
	}
	if doubtful {
		f.Events.Doubt(a.emitted...) // those that are known are not delivered again
	}
	if err == nil {
		f.Await(ctx, a.until)
	}
	return result, err
}

// DoOnce is Once for a decision without a result.
func DoOnce(ctx context.Context, f Frame, decide func(a *Attempt) error) error {
	_, err := Once(ctx, f, func(a *Attempt) (struct{}, error) { return struct{}{}, decide(a) })
	return err
}

// Preparing returns a context for decisions that prepare another one: the idempotency key of a
// request is recorded with the other one.
func Preparing(ctx context.Context) context.Context { return idempotency.Preparing(ctx) }

// Attempt is an attempt at a decision. It must not be used concurrently, nor after the
// function it was passed to has returned.
type Attempt struct {
	ctx      context.Context
	frame    Frame
	emitted  []outbox.Record
	messages []outbox.Message
	until    time.Time
}

// Emit returns records of those events that have receivers. They must be stored in the
// transaction of the change.
func (a *Attempt) Emit(events ...outbox.Event) []outbox.Record {
	first := len(a.emitted)
	for _, e := range events {
		if a.frame.Events != nil && a.frame.Events.Wants(e) {
			at := a.frame.Clock().UTC().Truncate(time.Microsecond) // events are in order of it, whatever Precision is
			r := outbox.NewRecord(a.ctx, e, a.frame.NewID(), at)
			r.Shard = a.frame.Events.Shard(r.ID)
			a.emitted = append(a.emitted, r)
		}
	}
	return a.emitted[first:len(a.emitted):len(a.emitted)]
}

// MayShare reports whether what the attempt decides may be stored together with decisions of other
// requests. That of a request with an idempotency key is recorded in a transaction of its own.
func (a *Attempt) MayShare() bool { return !idempotency.Accompanies(a.ctx) }

// Tell notifies subscribers of a change that has no event if the attempt succeeds.
func (a *Attempt) Tell(messages ...outbox.Message) {
	a.messages = append(a.messages, messages...)
}

// Announce tells subscribers of a step that is about to be stored, and emits its event, if it
// has one.
func Announce[E outbox.Event](a *Attempt, step interface {
	Message() interface{ Subject() string }
	Moved() (e E, ok bool)
}) []outbox.Record {
	a.Tell(step.Message())
	if e, ok := step.Moved(); ok {
		return a.Emit(e)
	}
	return nil
}

// Until makes Run wait until the clock has reached t, a stored time that may be slightly in
// the future, so that no later response shows a time in the future.
func (a *Attempt) Until(t time.Time) {
	if t.After(a.until) {
		a.until = t
	}
}

// stored returns the emitted events that were stored, and the name of one that was not, or "".
func (a *Attempt) stored() (records []outbox.Record, lost string) {
	for _, r := range a.emitted {
		if r.Stored() {
			records = append(records, r)
		} else {
			lost = r.Name
		}
	}
	return records, lost
}
