// Package outbox delivers events, which are stored in the transactions of the changes they
// describe, to receivers within this process and from there to subscribers.
//
// The process that commits an event delivers it at once, before its mutation is answered;
// work that takes longer continues in the background, and failures are repeated with an
// increasing backoff. What waits is in the memory of the process. The stored outbox is for
// its successor: each process owns some of the shards, stores its events there, and reads a
// shard once when it takes it over. Events are therefore delivered at least once, and
// receivers must not rely on their order beyond what they read themselves.
package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/tasks"
	"stoa/internal/kit/trace"
)

// Store stores events and lanes until they are delivered, and which process owns which of
// their shards. Where a method takes the id of a member, it returns ErrNotOwner and changes
// nothing if that member is gone, unless the id is "".
type Store interface {
	// Pending returns the events of a shard in time order.
	Pending(ctx context.Context, shard int, q page.Query) (page.Page[Record], error)
	// Done removes events. It ignores those already removed.
	Done(ctx context.Context, records []Record) error

	// Lanes returns the lanes of a shard in the time order of their events.
	Lanes(ctx context.Context, shard int, q page.Query) (page.Page[Lane], error)
	// OpenLane stores a lane unless it exists.
	OpenLane(ctx context.Context, member string, l Lane) error
	// AdvanceLane stores the new cursor of a lane if it exists.
	AdvanceLane(ctx context.Context, member string, l Lane, cursor string) error
	// CloseLane removes a lane if it exists.
	CloseLane(ctx context.Context, member string, l Lane) error

	// StoreFailures stores the Failures of an event, or of a lane, if it exists.
	StoreFailures(ctx context.Context, member string, l Lane) error
	// Park moves an event or a lane to the dead letters.
	Park(ctx context.Context, member string, dead DeadLetter) error

	// Roster returns the members and what they own.
	Roster(ctx context.Context) (Roster, error)
	// Beat stores a new member, or the beat of one that is there, and reports whether it was
	// as expected.
	Beat(ctx context.Context, m Member, isNew bool) (bool, error)
	// Assign replaces the owners of the given version and removes members whose beat is as
	// given, if all of that is so and the member is there. It reports whether it did.
	Assign(ctx context.Context, member string, version int64, owners []string, gone []Member) (bool, error)
}

// Metrics counts deliveries by event name. Its methods are called concurrently.
type Metrics interface {
	// Delivered records that an event was delivered with the given lag.
	Delivered(event string, lag time.Duration)
	// Failed records a failed attempt to deliver an event.
	Failed(event string)
	// Parked records an event that is not attempted anymore.
	Parked(event string)
}

// Config configures a Dispatcher. All fields but Tracer are required.
type Config struct {
	Store Store
	// Holder identifies this process. No two running processes may share a name.
	Holder string
	// Version is that of the program, which other processes show; it may be "".
	Version string
	Bus     Bus
	Now     func() time.Time
	Log     *slog.Logger
	Metrics Metrics
	// Tracer traces deliveries of events that are traced; nil for none.
	Tracer *trace.Tracer
	// Poll is the interval at which the Dispatcher looks for strays and for events that are
	// due for a retry.
	Poll time.Duration
	// Wait is the maximum time that a mutation waits for the receivers of its events.
	Wait time.Duration
}

// Dispatcher delivers events. Receivers must be registered before it runs; afterwards its
// methods may be called concurrently.
type Dispatcher struct {
	Config
	receivers map[string][]*receiver
	// patience is how long events of some names are attempted, if not for hopeless.
	patience map[string]time.Duration
	owner    ownership
	// turns has the work in the background.
	turns *turns

	// keys serializes events with the same ordering key in this process, commits the changes
	// of InOrder.
	keys, commits locks
	order         order
	// running includes deliveries that continue in the background, and abort, which ends
	// their context cut, aborts them.
	running tasks.Group
	cut     context.Context
	abort   context.CancelFunc
	// started is the time at which the dispatcher was made.
	started time.Time

	// looking guards looked and strays: the number of looks for strays, and those that the
	// last look at a queue has found.
	looking sync.Mutex
	looked  int
	strays  map[string]map[string]bool

	// removing is locked while delivered events are removed.
	removing sync.Mutex
	// nudged is for a removal that is due.
	nudged chan struct{}

	mu sync.Mutex
	// begun holds events that have not been removed, and lanes those that have not ended, by id.
	begun map[string]*delivery
	lanes map[string]*openLane
	// doubtful has the shards that may have events that this process does not know, and when to
	// read them.
	doubtful map[int]time.Time
	// load is the number of events and lanes of each shard.
	load [Shards]int
	// delivered are the events to be removed.
	delivered []Record
}

// receiver handles one type of event in one place.
type receiver struct {
	// event is the name of its events.
	event string
	// name is that of its function, for traces.
	name string
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

// New returns a Dispatcher. It reads stored events only in Run and Drain.
func New(c Config) *Dispatcher {
	d := &Dispatcher{
		Config:    c,
		receivers: map[string][]*receiver{},
		patience:  map[string]time.Duration{},
		turns:     newTurns(),
		started:   c.Now().UTC().Truncate(time.Microsecond),
		strays:    map[string]map[string]bool{},
		nudged:    make(chan struct{}, 1),
		begun:     map[string]*delivery{},
		lanes:     map[string]*openLane{},
		doubtful:  map[int]time.Time{},
	}
	d.owner = ownership{
		store: c.Store, holder: c.Holder, version: c.Version, startedAt: d.started, now: c.Now, others: map[string]*seenMember{},
	}
	d.cut, d.abort = context.WithCancel(context.Background())
	return d
}

// On registers a receiver of events of type E, or, if when is given, of those for which it
// returns true. It may be called again for the same event, concurrently or after a failure.
// Receivers of an event must not rely on the order in which they are called, except for one
// that FanOutFirst registers.
func On[E Event](d *Dispatcher, receive func(ctx context.Context, e E, tell Tell) error, when ...func(E) bool) {
	d.add(newReceiver("", func(ctx context.Context, e E, _ string, tell Tell) (string, int, error) {
		return "", 0, receive(ctx, e, tell)
	}, when).named(receive))
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
	d.add(r.named(announce))
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
	d.add(newReceiver(lane, chunk, when).named(chunk))
}

// FanOutFirst registers a receiver like FanOut does, whose first chunks are written before
// the event's other receivers are called. It is for a receiver that would otherwise undo
// what the others do. An event may have one.
func FanOutFirst[E Event](
	d *Dispatcher, lane string, chunk func(ctx context.Context, e E, cursor string, tell Tell) (next string, rows int, err error), when ...func(E) bool,
) {
	r := newReceiver(lane, chunk, when)
	r.first = true
	d.add(r.named(chunk))
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

// named sets the name of a receiver to that of a function, without the path of its package.
func (r *receiver) named(function any) *receiver {
	name := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	r.name = strings.TrimSuffix(path.Base(name), "-fm")
	return r
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

// Shard returns the queue in which a new event is to be stored: one that this process owns,
// if it runs.
func (d *Dispatcher) Shard(id string) int { return d.owner.shard(id) }
