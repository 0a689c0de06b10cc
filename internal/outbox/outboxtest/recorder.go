// Package outboxtest provides a fake outbox for tests of one area.
package outboxtest

import (
	"context"
	"slices"
	"sync"

	"stoa/internal/outbox"
)

// Recorder is a dispatcher that wants every event and delivers none. It records committed
// events.
type Recorder struct {
	mu        sync.Mutex
	committed []outbox.Record
}

// Wants returns true.
func (r *Recorder) Wants(outbox.Event) bool { return true }

// Shard returns a queue.
func (r *Recorder) Shard(string) int { return 0 }

// Committed records events.
func (r *Recorder) Committed(_ context.Context, records ...outbox.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.committed = append(r.committed, records...)
}

// Doubt does nothing.
func (r *Recorder) Doubt(...outbox.Record) {}

// InOrder calls commit.
func (r *Recorder) InOrder(_ string, commit func() error) error { return commit() }

// Tell does nothing.
func (r *Recorder) Tell(context.Context, ...outbox.Message) {}

// Records returns the records committed so far.
func (r *Recorder) Records() []outbox.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.committed)
}

// All passes an event to a receiver of outbox.FanOut, chunk by chunk, and returns the
// notifications of subscribers, even if there is an error.
func All[E outbox.Event](
	ctx context.Context,
	e E,
	chunk func(ctx context.Context, e E, cursor string, tell outbox.Tell) (string, int, error),
) (told []outbox.Message, err error) {
	cursor := ""
	for {
		next, _, err := chunk(ctx, e, cursor, func(m ...outbox.Message) { told = append(told, m...) })
		if next == "" || err != nil {
			return told, err
		}
		cursor = next
	}
}
