package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
)

// Event is a fact that others act on: a struct beside its noun, of fields that JSON
// keeps. Whoever receives one brings about the present state rather than repeating a
// step, because events come at least once and may come late.
type Event interface {
	// EventName is what the event is stored as, "comment.added". It never changes.
	EventName() string
	// OrderingKey names what the event is about. Events with the same key are delivered
	// one after the other; the id of the user who owns it all is a good key.
	OrderingKey() string
}

// Record is an event as it is stored with the change that makes it true. Areas hand
// records from a Sender to their store and back, and look at nothing inside.
type Record struct {
	ID string
	// At orders the events of a shard.
	At time.Time
	// Since is when whatever caused the event happened: that of the first event where
	// one leads to another.
	Since time.Time
	Name  string
	Key   string
	Data  []byte
}

// Shards is in how many queues events wait. The last slowShards are for slow ones.
const (
	Shards     = 4 + slowShards
	slowShards = 2
)

// Slow is an event some receiver of which takes seconds. It waits in queues of its own, so
// that others need not wait for it.
type Slow interface {
	Event
	Slow()
}

// slowMark is what the keys of slow events begin with as they are stored.
const slowMark = "~"

func keyOf(e Event) string {
	if _, ok := e.(Slow); ok {
		return slowMark + e.OrderingKey()
	}
	return e.OrderingKey()
}

func slow(key string) bool { return strings.HasPrefix(key, slowMark) }

// Shard is the queue of r, 0 to Shards-1.
func (r Record) Shard() int {
	if slow(r.Key) {
		return Shards - slowShards + int(hash(r.Key)%slowShards)
	}
	return int(hash(r.Key) % (Shards - slowShards))
}

func hash(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()
}

// Decode returns the event in r, if it is an E.
func Decode[E Event](r Record) (e E, ok bool, err error) {
	if r.Name != e.EventName() {
		return e, false, nil
	}
	if err := json.Unmarshal(r.Data, &e); err != nil {
		return e, true, fmt.Errorf("event %s: %w", r.Name, err)
	}
	return e, true, nil
}

// Sender makes records of events. Areas hold one, as their clock and source of ids too.
// One without a Dispatcher sends nothing.
type Sender struct {
	Clock func() time.Time
	// NewID returns a new version 4 UUID in lower case.
	NewID      func() string
	Dispatcher interface {
		// Wants reports whether anybody receives e.
		Wants(e Event) bool
		Committed(ctx context.Context, records ...Record)
		Tell(ctx context.Context, since time.Time, messages ...Message)
	}
}

// Now is the present to the precision that is stored.
func (s Sender) Now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }

// Await returns once a time has passed that was set a little ahead of the clock, so that
// nobody who is answered after it is shown the future. It does not wait longer than a second:
// clocks of processes that are further apart are wrong.
func (s Sender) Await(t time.Time) {
	if ahead := t.Sub(s.Now()); !t.IsZero() && ahead > 0 {
		time.Sleep(min(ahead, maxAhead))
	}
}

// maxAhead is how far the clocks of processes may be apart.
const maxAhead = time.Second

// New makes records of those events that somebody receives, to be stored by the
// transaction that makes them true and then passed to Committed.
func (s Sender) New(ctx context.Context, events ...Event) []Record {
	var records []Record
	for _, e := range events {
		if s.Dispatcher == nil || !s.Dispatcher.Wants(e) {
			continue
		}
		data, err := json.Marshal(e)
		if err != nil {
			panic(fmt.Sprintf("outbox: event %s: %v", e.EventName(), err)) // a type that cannot be an event
		}
		now := s.Now()
		r := Record{ID: s.NewID(), At: now, Since: now, Name: e.EventName(), Key: keyOf(e), Data: data}
		if run := runOf(ctx); run != nil {
			r.Since = run.since()
		}
		records = append(records, r)
	}
	return records
}

// Committed delivers records once they are stored, see Dispatcher.Committed.
func (s Sender) Committed(ctx context.Context, records ...Record) {
	if len(records) > 0 {
		s.Dispatcher.Committed(ctx, records...)
	}
}

// Tell tells subscribers what a change that no event tells of has changed for them, see
// Dispatcher.Tell.
func (s Sender) Tell(ctx context.Context, since time.Time, messages ...Message) {
	if s.Dispatcher != nil {
		s.Dispatcher.Tell(ctx, since, messages...)
	}
}
