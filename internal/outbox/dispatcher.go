// Package outbox delivers events, which are stored in the transactions of the changes they
// describe, to receivers within this process and from there to subscribers.
//
// The process that commits an event delivers it at once, before its mutation is answered;
// work that takes longer continues in the background. The stored outbox is the fallback for
// failures and crashes: one process at a time scans each shard and retries with increasing
// backoff. Events are therefore delivered at least once, and receivers must not rely on
// their order beyond what they read themselves.
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
	"stoa/internal/kit/tasks"
)

// Store stores events and lanes until they are delivered.
type Store interface {
	// Pending returns the events of a shard in time order.
	Pending(ctx context.Context, shard int, q page.Query) (page.Page[Record], error)
	// Done removes events of a shard. It ignores those already removed.
	Done(ctx context.Context, shard int, records []Record) error

	// Lanes returns the lanes of a shard in the time order of their events.
	Lanes(ctx context.Context, shard int, q page.Query) (page.Page[Lane], error)
	// OpenLane stores a lane unless it exists.
	OpenLane(ctx context.Context, l Lane) error
	// AdvanceLane stores the new cursor of a lane if it exists.
	AdvanceLane(ctx context.Context, l Lane, cursor string) error
	// CloseLane removes a lane if it exists.
	CloseLane(ctx context.Context, l Lane) error
}

// Metrics counts deliveries by event name. Its methods are called concurrently.
type Metrics interface {
	// Delivered records that an event was delivered with the given lag.
	Delivered(event string, lag time.Duration)
	// Failed records a failed attempt to deliver an event.
	Failed(event string)
}

// Config configures a Dispatcher. All fields are required.
type Config struct {
	Store   Store
	Leases  *lease.Client
	Bus     Bus
	Now     func() time.Time
	Log     *slog.Logger
	Metrics Metrics
	// Poll is the interval of scans for events of other processes and events due for a
	// retry.
	Poll time.Duration
	// Wait is the maximum time that a mutation waits for the receivers of its events.
	Wait time.Duration
}

// Dispatcher delivers events. Receivers must be registered before it runs; afterwards its
// methods may be called concurrently.
type Dispatcher struct {
	Config
	receivers map[string][]*receiver
	shards    [Shards]*shard
	lanes     [Shards]*laneQueue

	// keys serializes events with the same ordering key in this process. The last slowKeys
	// locks are for slow events.
	keys [256 + slowKeys]keyLock
	// commits serializes the changes of InOrder.
	commits [256]keyLock
	order   order
	// running includes deliveries that continue in the background, and abort, which ends
	// their context cut, aborts them.
	running tasks.Group
	cut     context.Context
	abort   context.CancelFunc
	// started is the time at which the dispatcher was made.
	started time.Time

	mu sync.Mutex
	// begun holds deliveries of events that have not been removed, by event id.
	begun map[string]*delivery
}

// receiver handles one type of event in one place.
type receiver struct {
	// event is the name of its events.
	event string
	// lane is empty unless the receiver is a fan-out.
	lane string
	// quick is set if the receiver only notifies subscribers.
	quick bool
	// first is set if the receiver is called before all others.
	first bool
	// wants reports whether an event of its type is for this receiver.
	wants   func(e Event) bool
	receive func(ctx context.Context, r Record, cursor string, tell Tell) (next string, rows int, err error)
}

// New returns a Dispatcher. It scans for events only in Run and Drain.
func New(c Config) *Dispatcher {
	d := &Dispatcher{Config: c, receivers: map[string][]*receiver{}, begun: map[string]*delivery{}, started: c.Now().UTC().Truncate(time.Microsecond)}
	d.cut, d.abort = context.WithCancel(context.Background())
	for i := range Shards {
		d.shards[i] = newShard(d, i)
		d.lanes[i] = newLaneQueue(d, i)
	}
	for _, locks := range [][]keyLock{d.keys[:], d.commits[:]} {
		for i := range locks {
			locks[i] = make(keyLock, 1)
		}
	}
	return d
}

// On registers a receiver of events of type E, or, if when is given, of those for which it
// returns true. It may be called again for the same event, concurrently or after a failure.
// Receivers of an event must not rely on the order in which they are called, except for one
// that FanOutFirst registers.
func On[E Event](d *Dispatcher, receive func(ctx context.Context, e E, tell Tell) error, when ...func(E) bool) {
	d.add(newReceiver("", func(ctx context.Context, e E, _ string, tell Tell) (string, int, error) {
		return "", 0, receive(ctx, e, tell)
	}, when))
}

// Announce registers a receiver like On does, which only notifies subscribers. An event
// without other receivers is delivered by the goroutine that commits it: announcing must
// not wait for anything.
func Announce[E Event](d *Dispatcher, announce func(e E, tell Tell), when ...func(E) bool) {
	r := newReceiver("", func(_ context.Context, e E, _ string, tell Tell) (string, int, error) {
		announce(e, tell)
		return "", 0, nil
	}, when)
	r.quick = true
	d.add(r)
}

// FanOut registers a receiver that writes many rows. Each call writes one chunk of about a
// hundred rows from a cursor, which is initially "". It returns the cursor of the next
// chunk, or "" after the last, and the number of rows written. The first chunks are written
// before the mutation is answered, the rest in a lane, whose name must be unique among the
// event's. The cursor is stored after each chunk, so that another process can continue
// after a crash, and other events do not wait for the lane. A chunk may be repeated, and
// must act on the current state: the event may be long past. Only events for which when
// holds are received.
func FanOut[E Event](
	d *Dispatcher,
	lane string,
	chunk func(ctx context.Context, e E, cursor string, tell Tell) (next string, rows int, err error),
	when ...func(E) bool,
) {
	d.add(newReceiver(lane, chunk, when))
}

// FanOutFirst registers a receiver like FanOut does, whose first chunks are written before
// the event's other receivers are called. It is for a receiver that would otherwise undo
// what the others do. An event may have one.
func FanOutFirst[E Event](
	d *Dispatcher, lane string, chunk func(ctx context.Context, e E, cursor string, tell Tell) (next string, rows int, err error), when ...func(E) bool,
) {
	r := newReceiver(lane, chunk, when)
	r.first = true
	d.add(r)
}

func newReceiver[E Event](lane string, receive func(context.Context, E, string, Tell) (string, int, error), when []func(E) bool) *receiver {
	var e E
	wants := func(e E) bool { return !slices.ContainsFunc(when, func(holds func(E) bool) bool { return !holds(e) }) }
	return &receiver{
		event: e.EventName(),
		lane:  lane,
		wants: func(e Event) bool { typed, ok := e.(E); return ok && wants(typed) },
		receive: func(ctx context.Context, r Record, cursor string, tell Tell) (string, int, error) {
			e, _, err := Decode[E](r)
			if err != nil || !wants(e) {
				return "", 0, err
			}
			return receive(ctx, e, cursor, tell)
		},
	}
}

// add registers a receiver. It panics if the event has one with the same lane, or another
// one to be called first.
func (d *Dispatcher) add(r *receiver) {
	all := d.receivers[r.event]
	for _, other := range all {
		switch {
		case r.lane != "" && r.lane == other.lane:
			panic(fmt.Sprintf("outbox: event %s has two lanes %s", r.event, r.lane))
		case r.first && other.first:
			panic(fmt.Sprintf("outbox: lanes %s and %s are both the first of event %s", other.lane, r.lane, r.event))
		}
	}
	if r.first {
		d.receivers[r.event] = slices.Insert(all, 0, r)
	} else {
		d.receivers[r.event] = append(all, r)
	}
}

// lane returns the receiver of an event with the given lane.
func (d *Dispatcher) lane(event, name string) (*receiver, error) {
	for _, r := range d.receivers[event] {
		if r.lane == name {
			return r, nil
		}
	}
	return nil, fmt.Errorf("event %s has no receiver in lane %s", event, name)
}

// Wants reports whether e has a receiver.
func (d *Dispatcher) Wants(e Event) bool {
	return slices.ContainsFunc(d.receivers[e.EventName()], func(r *receiver) bool { return r.wants(e) })
}

// key returns the lock that serializes the events of a key in this process.
func (d *Dispatcher) key(key string) keyLock {
	quick := len(d.keys) - slowKeys
	if slow(key) {
		return d.keys[quick+int(hash(key)%slowKeys)]
	}
	return d.keys[hash(key)%uint32(quick)]
}

const slowKeys = 64

// keyLock is a mutex. Deliveries hold it during store calls, so waiting for it must count
// as idle in testing/synctest, which waiting for a sync.Mutex does not.
type keyLock chan struct{}

func (l keyLock) Lock()   { l <- struct{}{} }
func (l keyLock) Unlock() { <-l }

func (l keyLock) TryLock() bool {
	select {
	case l <- struct{}{}:
		return true
	default:
		return false
	}
}

// ending is how long deliveries may still take when Run ends. A store that does not respond
// must not keep a process from ending: the events are stored.
const ending = 5 * time.Second

// Run scans for events until ctx is done. It then releases its leases and waits for
// deliveries to end.
func (d *Dispatcher) Run(ctx context.Context) {
	var all sync.WaitGroup
	for i := range Shards {
		all.Go(func() { d.shards[i].run(ctx, d.shards[i].look, d.shards[i].tidy) })
		all.Go(func() { d.lanes[i].run(ctx, d.lanes[i].look, d.lanes[i].look) })
	}
	all.Wait()
	giveUp := time.AfterFunc(ending, d.abort)
	d.running.Wait()
	giveUp.Stop()
	for _, s := range d.shards {
		all.Go(func() {
			if err := s.tidy(ctx); err != nil {
				d.Log.ErrorContext(ctx, "removing delivered events failed", "queue", s.name, "error", err)
			}
		})
	}
	all.Wait()
}

// Drain delivers all pending events, including those that failed lately and those added
// meanwhile. It returns the failures, after one attempt for each event.
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

// attempts determines what a sweep tries and where failures are reported.
type attempts struct {
	wanted func(id string, at time.Time) bool
	failed func(id string, err error)
}
