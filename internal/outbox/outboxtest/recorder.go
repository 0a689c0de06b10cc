// Package outboxtest stands in for the outbox in tests of one area.
package outboxtest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"stoa/internal/outbox"
)

// Recorder is a dispatcher that wants every event and delivers none. It keeps those
// committed.
type Recorder struct {
	mu        sync.Mutex
	committed []outbox.Record
}

// Wants reports true.
func (r *Recorder) Wants(outbox.Event) bool { return true }

// Committed keeps records.
func (r *Recorder) Committed(_ context.Context, records ...outbox.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.committed = append(r.committed, records...)
}

// Tell tells nobody.
func (r *Recorder) Tell(context.Context, time.Time, ...outbox.Message) {}

// Records are those committed so far.
func (r *Recorder) Records() []outbox.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.committed)
}

// Of returns the events of a type among records, in their order.
func Of[E outbox.Event](t testing.TB, records []outbox.Record) []E {
	t.Helper()
	var events []E
	for _, r := range records {
		e, ok, err := outbox.Decode[E](r)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			events = append(events, e)
		}
	}
	return events
}

// All gives an event to a receiver of outbox.FanOut, chunk after chunk, and returns what
// subscribers are told, also beside an error.
func All[E outbox.Event](ctx context.Context, e E, chunk func(ctx context.Context, e E, cursor string, tell outbox.Tell) (string, int, error)) (told []outbox.Message, err error) {
	cursor := ""
	for {
		next, _, err := chunk(ctx, e, cursor, func(m ...outbox.Message) { told = append(told, m...) })
		if next == "" || err != nil {
			return told, err
		}
		cursor = next
	}
}
