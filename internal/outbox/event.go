package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/trace"
)

// Event is a fact that other areas act on: a struct declared next to its type, with fields
// that survive JSON. Receivers establish the current state rather than repeat a step,
// because events are delivered at least once and possibly late.
type Event interface {
	// EventName is the stored name of the event, such as "comment.added". It never changes.
	EventName() string
	// OrderingKey identifies the subject of the event. Events with the same key are
	// delivered one at a time; the id of the owning user is a good key.
	OrderingKey() string
}

// Record is an event in the form that is stored with its change. Areas pass records from a
// decision to their store without inspecting them.
type Record struct {
	ID string
	// At orders the events of a shard.
	At time.Time
	// Since is when the cause of the event happened: in a chain of events, the time of the
	// first.
	Since time.Time
	Name  string
	Key   string
	Data  []byte

	// Shard is the queue that the record is stored in, 0 to Shards-1.
	Shard int
	// Failures are those before the event, or the lane, came to this process.
	Failures Failures

	// Trace is the place in a trace at which the event was caused, or "" if it is not traced;
	// see trace.Parent.
	Trace string

	// event is the event itself, or nil in a record read from the store.
	event Event
	// stored is set once the transaction of a new record has committed.
	stored *bool
}

// Shards is the number of queues of events. Versions before store theirs in the first
// formerShards, and divide them by leases of their own; this version only reads them there.
const (
	Shards       = formerShards + 64
	formerShards = 6
)

// Slow is an event with a receiver that takes seconds. Few of them are processed at a time,
// so that others do not wait for them.
type Slow interface {
	Event
	Slow()
}

// Joint is an event with several subjects. Its delivery and its notifications also wait for those
// of events with any of the other keys. These are not stored: after a crash, the event has its
// OrderingKey alone.
type Joint interface {
	Event
	OtherKeys() []string
}

// keys returns all ordering keys of an event, sorted: those who lock several never wait for each
// other.
func (r Record) keys() []string {
	e, ok := r.event.(Joint)
	if !ok {
		return []string{r.Key}
	}
	all := append(e.OtherKeys(), r.Key)
	slices.Sort(all)
	return slices.Compact(all)
}

// slowMark is the prefix of stored keys of slow events.
const slowMark = "~"

func keyOf(e Event) string {
	if _, ok := e.(Slow); ok {
		return slowMark + e.OrderingKey()
	}
	return e.OrderingKey()
}

func slow(key string) bool { return strings.HasPrefix(key, slowMark) }

// anyShard returns the queue of an event whose process owns none.
func anyShard(id string) int { return formerShards + int(hash(id)%(Shards-formerShards)) }

func hash(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()
}

// Decode returns the event in r if it is an E.
func Decode[E Event](r Record) (e E, ok bool, err error) {
	if made, ok := r.event.(E); ok {
		return made, true, nil
	}
	if r.Name != e.EventName() {
		return e, false, nil
	}
	if err := json.Unmarshal(r.Data, &e); err != nil {
		return e, true, fmt.Errorf("event %s: %w", r.Name, err)
	}
	return e, true, nil
}

// Sender delivers events; a Dispatcher is one.
type Sender interface {
	// Wants reports whether e has a receiver.
	Wants(e Event) bool
	// Shard returns the queue in which a new event is to be stored.
	Shard(id string) int
	// Committed delivers stored events; see Dispatcher.Committed.
	Committed(ctx context.Context, records ...Record)
	// Doubt checks later whether events of a failed transaction were stored after all; see
	// Dispatcher.Doubt.
	Doubt(records ...Record)
	// InOrder calls commit after other calls with its key; see Dispatcher.InOrder.
	InOrder(key string, commit func() error) error
	// Tell notifies subscribers of a change that has no event; see Dispatcher.Tell.
	Tell(ctx context.Context, messages ...Message)
}

// NewRecord returns the record of an event that happens now. It must be stored in the
// transaction of its change and then be passed to Committed.
func NewRecord(ctx context.Context, e Event, id string, now time.Time) Record {
	r := RecordOf(e, id, now)
	r.stored = new(bool)
	r.Trace = trace.Parent(ctx)
	if run := runOf(ctx); run != nil {
		r.Since = run.now().Since
	}
	return r
}

// RecordOf returns the record of an event that happened at a time. It is for repairs, which
// send nothing: a stored record is delivered when a server runs.
func RecordOf(e Event, id string, at time.Time) Record {
	data, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("outbox: event %s: %v", e.EventName(), err)) // the type cannot be an event
	}
	return Record{ID: id, At: at, Since: at, Name: e.EventName(), Key: keyOf(e), Data: data, Shard: anyShard(id), event: e}
}

// Stored reports whether the transaction of a new record has committed.
func (r Record) Stored() bool { return r.stored != nil && *r.stored }

// MarkStored records that the transaction of new records has committed.
func MarkStored(records []Record) {
	for _, r := range records {
		if r.stored != nil {
			*r.stored = true
		}
	}
}
