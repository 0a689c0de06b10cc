// Package outbox delivers events that were stored with the changes they tell of, to
// receivers within this process and from there to users.
//
// An event is delivered at least once, by one process at a time, and removed once all
// its receivers have succeeded. One that fails stays and is tried again, more and more
// rarely, while later ones pass it: receivers must not rely on order beyond what they
// read themselves.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
	"stoa/social"
)

// Store keeps events until they are delivered.
type Store interface {
	// Pending returns the events of a shard in the order of their times.
	Pending(ctx context.Context, shard int, q page.Query) (page.Page[social.Event], error)
	// Done removes events of a shard; those already removed are ignored.
	Done(ctx context.Context, shard int, events []social.Event) error
}

// Receiver brings about what an event asks for and returns whom to tell. It may be
// called again for the same event, beside or after a failure. What it returns together
// with an error is told all the same, so it must not return that again.
type Receiver func(ctx context.Context, e social.Event) ([]social.Notification, error)

// Quietly makes a Receiver that tells nobody.
func Quietly(receive func(ctx context.Context, e social.Event) error) Receiver {
	return func(ctx context.Context, e social.Event) ([]social.Notification, error) {
		return nil, receive(ctx, e)
	}
}

// Measures counts deliveries. Its methods are called from several goroutines.
type Measures interface {
	// Delivered: an event was delivered, lag after it happened.
	Delivered(kind social.EventKind, lag time.Duration)
	// Failed: an attempt to deliver an event failed.
	Failed(kind social.EventKind)
}

// Config is what a Dispatcher works with. All fields are needed.
type Config struct {
	Store  Store
	Leases *lease.Keeper
	// Announce tells a user. It is called after all receivers of the event succeeded.
	Announce func(ctx context.Context, n social.Notification) error
	Now      func() time.Time
	Log      *slog.Logger
	Measures Measures
	// Poll is how often to look for events that nobody told of: those of other
	// processes, and those to be tried again.
	Poll time.Duration
}

// Dispatcher delivers events. Receivers are registered before it runs; after that its
// methods may be called from several goroutines.
type Dispatcher struct {
	Config
	receivers map[social.EventKind][]Receiver
	shards    [social.EventShards]*shard
}

// New makes a Dispatcher that is idle until Run or Drain.
func New(c Config) *Dispatcher {
	d := &Dispatcher{Config: c, receivers: map[social.EventKind][]Receiver{}}
	for i := range d.shards {
		d.shards[i] = newShard(d, i)
	}
	return d
}

// On adds receivers of a kind of event. They are called in the order of registration.
func (d *Dispatcher) On(kind social.EventKind, receivers ...Receiver) {
	d.receivers[kind] = append(d.receivers[kind], receivers...)
}

// Committed tells that events are stored. They are delivered once the answer that ctx
// belongs to has been written.
func (d *Dispatcher) Committed(ctx context.Context, events ...social.Event) {
	if len(events) == 0 {
		return
	}
	after.Do(ctx, func() {
		for _, e := range events {
			d.shards[e.Shard()].nudge()
		}
	})
}

// Fulfilled removes a stored event without a delivery, for whoever stored it and has
// brought about what it asks for. It is delivered all the same when that fails.
func (d *Dispatcher) Fulfilled(ctx context.Context, e social.Event) {
	if err := d.Store.Done(ctx, e.Shard(), []social.Event{e}); err != nil {
		d.Log.ErrorContext(ctx, "fulfilled event not removed", "event", e.ID, "kind", e.Kind, "error", err)
		d.Committed(ctx, e)
	}
}

// Run delivers events until ctx ends, and then gives back what it holds.
func (d *Dispatcher) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, s := range d.shards {
		all.Go(func() { s.run(ctx) })
	}
	all.Wait()
}

// Drain delivers all events that wait, also those that failed lately and those that
// come up meanwhile. It returns the failures, each of whose events was tried once.
func (d *Dispatcher) Drain(ctx context.Context) error {
	failed := map[string]error{}
	for {
		delivered := 0
		for _, s := range d.shards {
			n, err := s.sweep(ctx, func(e social.Event) bool { return failed[e.ID] == nil }, func(e social.Event, err error) { failed[e.ID] = err })
			if err != nil {
				return err
			}
			delivered += n
		}
		if delivered == 0 {
			break
		}
	}
	var errs []error
	for _, err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
