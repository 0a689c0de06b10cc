// Package outbox delivers events that were stored with the changes they tell of, to
// receivers within this process and from there to subscribers.
//
// The process that commits an event delivers it at once, before its mutation answers.
// What takes longer goes on behind the answer. The stored outbox is the backstop for
// what fails or was cut off by a crash: one process at a time looks through each shard
// and tries again, more and more rarely. So an event is delivered at least once, and a
// receiver must not rely on order beyond what it reads itself.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
)

// Store keeps events and lanes until they are delivered.
type Store interface {
	// Pending returns the events of a shard in the order of their times.
	Pending(ctx context.Context, shard int, q page.Query) (page.Page[Record], error)
	// Done removes events of a shard; those already removed are ignored.
	Done(ctx context.Context, shard int, records []Record) error

	// Lanes returns the lanes of a shard in the order of their events.
	Lanes(ctx context.Context, shard int, q page.Query) (page.Page[Lane], error)
	// OpenLane stores a lane. One that is there stays as it is.
	OpenLane(ctx context.Context, l Lane) error
	// AdvanceLane stores a new cursor of a lane, if it is there.
	AdvanceLane(ctx context.Context, l Lane, cursor string) error
	// CloseLane removes a lane, if it is there.
	CloseLane(ctx context.Context, l Lane) error
}

// Metrics counts deliveries by the names of events. Its methods are called from several
// goroutines.
type Metrics interface {
	// Delivered: an event was delivered, lag after it happened.
	Delivered(event string, lag time.Duration)
	// Failed: an attempt to deliver an event failed.
	Failed(event string)
}

// Config is what a Dispatcher works with. All fields are needed.
type Config struct {
	Store   Store
	Leases  *lease.Keeper
	Bus     Bus
	Now     func() time.Time
	Log     *slog.Logger
	Metrics Metrics
	// Poll is how often to look for events of other processes, and for those to be tried
	// again.
	Poll time.Duration
	// Wait is how long a mutation waits for the receivers of its events.
	Wait time.Duration
}

// Dispatcher delivers events. Receivers are registered before it runs; after that its
// methods may be called from several goroutines.
type Dispatcher struct {
	Config
	receivers map[string][]*receiver
	shards    [Shards]*shard
	lanes     [Shards]*laneQueue

	// keys makes events with the same ordering key wait for each other in this process, the
	// last slowKeys those of slow events.
	keys [256 + slowKeys]keyLock
	// running are deliveries that go on behind their mutations' answers, too.
	running sync.WaitGroup

	mu sync.Mutex
	// begun are deliveries that did not end with the event's removal, by its id.
	begun map[string]*delivery
}

// receiver is what happens to one type of event in one place.
type receiver struct {
	// lane is empty for a receiver that does all at once.
	lane string
	// wants reports whether an event of its type is for the receiver.
	wants   func(e Event) bool
	receive func(ctx context.Context, r Record, cursor string, tell Tell) (next string, rows int, err error)
}

// New makes a Dispatcher that looks for nothing until Run or Drain.
func New(c Config) *Dispatcher {
	d := &Dispatcher{Config: c, receivers: map[string][]*receiver{}, begun: map[string]*delivery{}}
	for i := range Shards {
		d.shards[i] = newShard(d, i)
		d.lanes[i] = newLaneQueue(d, i)
	}
	for i := range d.keys {
		d.keys[i] = make(keyLock, 1)
	}
	return d
}

// On registers a receiver of those events of type E for which when holds, of all without
// it. It may be called again for the same event, beside or after a failure. Receivers are
// called in the order of registration.
func On[E Event](d *Dispatcher, receive func(ctx context.Context, e E, tell Tell) error, when ...func(E) bool) {
	register(d, "", func(ctx context.Context, e E, _ string, tell Tell) (string, int, error) {
		return "", 0, receive(ctx, e, tell)
	}, when)
}

// FanOut registers a receiver with many rows to write. Each call does one chunk of them,
// about a hundred, from a cursor that is "" at first, and returns the cursor of the next
// chunk, "" when it was the last, and how many rows it wrote. The first chunks run
// before the mutation answers; the others in a lane, whose name must be unique among the
// event's: the cursor is stored after each chunk, so that the next process goes on
// after a crash, and no other event waits for it. A chunk may be repeated, and looks at
// the present state: the event may be long past.
func FanOut[E Event](d *Dispatcher, lane string, chunk func(ctx context.Context, e E, cursor string, tell Tell) (next string, rows int, err error)) {
	register(d, lane, chunk, nil)
}

func register[E Event](d *Dispatcher, lane string, receive func(context.Context, E, string, Tell) (string, int, error), when []func(E) bool) {
	var e E
	name := e.EventName()
	wants := func(e E) bool { return !slices.ContainsFunc(when, func(holds func(E) bool) bool { return !holds(e) }) }
	d.receivers[name] = append(d.receivers[name], &receiver{
		lane:  lane,
		wants: func(e Event) bool { typed, ok := e.(E); return ok && wants(typed) },
		receive: func(ctx context.Context, r Record, cursor string, tell Tell) (string, int, error) {
			e, _, err := Decode[E](r)
			if err != nil || !wants(e) {
				return "", 0, err
			}
			return receive(ctx, e, cursor, tell)
		},
	})
}

// lane returns the receiver of an event that has a lane of that name.
func (d *Dispatcher) lane(event, name string) (*receiver, error) {
	for _, r := range d.receivers[event] {
		if r.lane == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("nobody receives events %s in lane %s", event, name)
}

// Wants reports whether anybody receives e.
func (d *Dispatcher) Wants(e Event) bool {
	return slices.ContainsFunc(d.receivers[e.EventName()], func(r *receiver) bool { return r.wants(e) })
}

// key is the lock that orders the events of a key in this process.
func (d *Dispatcher) key(key string) keyLock {
	quick := len(d.keys) - slowKeys
	if slow(key) {
		return d.keys[quick+int(hash(key)%slowKeys)]
	}
	return d.keys[hash(key)%uint32(quick)]
}

const slowKeys = 64

// keyLock is a mutex. Deliveries hold one while they call the store, so those who wait for
// it are idle to testing/synctest, for which a sync.Mutex is too short a matter.
type keyLock chan struct{}

func (l keyLock) Lock()   { l <- struct{}{} }
func (l keyLock) Unlock() { <-l }

// Run looks for events until ctx ends, and then gives back what it holds.
func (d *Dispatcher) Run(ctx context.Context) {
	var all sync.WaitGroup
	for i := range Shards {
		all.Go(func() { d.shards[i].run(ctx, d.shards[i].look, d.shards[i].tidy) })
		all.Go(func() { d.lanes[i].run(ctx, d.lanes[i].look, d.lanes[i].look) })
	}
	all.Wait()
	d.running.Wait()
}

// Drain delivers all that waits, also what failed lately and what comes up meanwhile. It
// returns the failures, each of whose events was tried once.
func (d *Dispatcher) Drain(ctx context.Context) error {
	d.running.Wait()
	failed := map[string]error{}
	attempt := attempts{
		wanted: func(id string, _ time.Time) bool { return failed[id] == nil },
		failed: func(id string, err error) { failed[id] = err },
	}
	for {
		done := 0
		for i := range Shards {
			events, err := d.shards[i].sweep(ctx, attempt)
			if err != nil {
				return err
			}
			chunks, err := d.lanes[i].sweep(ctx, attempt)
			if err != nil {
				return err
			}
			done += events + chunks
		}
		if done == 0 {
			break
		}
	}
	var errs []error
	for _, err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// attempts says what a sweep tries and who is told of failures.
type attempts struct {
	wanted func(id string, at time.Time) bool
	failed func(id string, err error)
}
