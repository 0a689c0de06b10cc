package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/page"
)

// moved is the event of these tests: a user did something.
type moved struct{ Who, What string }

func (moved) EventName() string     { return "moved" }
func (e moved) OrderingKey() string { return e.Who }

// note is a message to subscribers.
type note struct{ To, Text string }

func (n note) Subject() string { return n.To }

// world is shared by the dispatchers of a test: the stored events, lanes and leases, the
// clock, and the published messages.
type world struct {
	mu     sync.Mutex
	now    time.Time
	ids    int
	shards [Shards][]Record
	lanes  map[string]Lane
	// members, version and owners are the division of shards.
	members map[string]Member
	version int64
	owners  []string
	parked  []DeadLetter
	// calls counts the calls of the store, and reads the events and lanes read, by id.
	calls int
	reads map[string]int
	// failDone is the error of the next removals, or nil.
	failDone error
	// hangDone makes removals wait for the end of their context.
	hangDone bool
	told     []string
	toldNews chan struct{}
	failed   []string
	lags     []time.Duration
	// cursors holds the cursors with which lanes were stored.
	cursors []string
}

func newWorld() *world {
	return &world{
		now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), lanes: map[string]Lane{}, members: map[string]Member{}, reads: map[string]int{},
		toldNews: make(chan struct{}, 10_000),
	}
}

// call counts a call of the store. It returns ErrNotOwner if a member is gone.
func (w *world) call(member string) error {
	w.calls++
	if _, there := w.members[member]; member != "" && !there {
		return ErrNotOwner
	}
	return nil
}

func (w *world) Roster(context.Context) (Roster, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	return Roster{slices.Collect(maps.Values(w.members)), w.version, slices.Clone(w.owners)}, nil
}

func (w *world) Beat(_ context.Context, m Member, isNew bool) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if _, there := w.members[m.ID]; there == isNew {
		return false, nil
	}
	w.members[m.ID] = m
	return true, nil
}

func (w *world) Assign(_ context.Context, member string, version int64, owners []string, gone []Member) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil || version != w.version {
		return false, err
	}
	for _, m := range gone {
		if w.members[m.ID] != m {
			return false, nil
		}
	}
	for _, m := range gone {
		delete(w.members, m.ID)
	}
	w.version, w.owners = version+1, owners
	return true, nil
}

func (w *world) StoreFailures(_ context.Context, member string, l Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil {
		return err
	}
	if stored, ok := w.lanes[l.id()]; ok {
		stored.Failures = l.Failures
		w.lanes[l.id()] = stored
	}
	for i, r := range w.shards[l.Shard] {
		if l.Name == "" && r.ID == l.ID {
			w.shards[l.Shard][i].Failures = l.Failures
		}
	}
	return nil
}

func (w *world) Park(_ context.Context, member string, d DeadLetter) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil {
		return err
	}
	w.parked = append(w.parked, d)
	w.shards[d.Shard] = slices.DeleteFunc(w.shards[d.Shard], func(r Record) bool { return d.Name == "" && r.ID == d.ID })
	if d.Name != "" {
		delete(w.lanes, d.id())
	}
	return nil
}

func (w *world) Parked(string) {}

func (w *world) Pending(_ context.Context, shard int, q page.Query) (page.Page[Record], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	var p page.Page[Record]
	for _, r := range w.shards[shard] {
		if r.ID <= q.After {
			continue
		}
		if len(p.Items) == q.First {
			p.Next = p.Items[len(p.Items)-1].ID
			break
		}
		w.reads[r.ID]++
		p.Items = append(p.Items, r)
	}
	return p, nil
}

func (w *world) Done(ctx context.Context, records []Record) error {
	if w.hangDone {
		<-ctx.Done()
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failDone != nil {
		return w.failDone
	}
	w.calls++
	for i := range w.shards {
		w.shards[i] = slices.DeleteFunc(w.shards[i], func(r Record) bool {
			return slices.ContainsFunc(records, func(done Record) bool { return done.ID == r.ID && done.Shard == r.Shard })
		})
	}
	return nil
}

func (w *world) Lanes(_ context.Context, shard int, _ page.Query) (p page.Page[Lane], err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	for _, l := range w.lanes {
		if l.Shard == shard {
			w.reads[l.id()]++
			p.Items = append(p.Items, l)
		}
	}
	slices.SortFunc(p.Items, func(a, b Lane) int { return strings.Compare(a.id(), b.id()) })
	return p, nil
}

func (w *world) OpenLane(_ context.Context, member string, l Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil {
		return err
	}
	if _, ok := w.lanes[l.id()]; !ok {
		w.lanes[l.id()] = l
		w.cursors = append(w.cursors, l.Cursor)
	}
	return nil
}

func (w *world) AdvanceLane(_ context.Context, member string, l Lane, cursor string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil {
		return err
	}
	l.Cursor = cursor
	w.lanes[l.id()] = l
	w.cursors = append(w.cursors, cursor)
	return nil
}

func (w *world) CloseLane(_ context.Context, member string, l Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.call(member); err != nil {
		return err
	}
	delete(w.lanes, l.id())
	return nil
}

func (w *world) Delivered(_ string, lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lags = append(w.lags, lag)
}

func (w *world) Failed(event string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = append(w.failed, event)
}

func (w *world) Heard(subject string) bool { return subject != "deaf" }

func (w *world) Sequence() bus.Sequence { return bus.Beginning }

func (w *world) Publish(_ context.Context, subject string, _ bus.Sequence, data []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var t told[note]
	if err := json.Unmarshal(data, &t); err != nil || subject != t.Data.To {
		return fmt.Errorf("message %s: %w", data, err)
	}
	w.told = append(w.told, t.Data.Text)
	w.toldNews <- struct{}{}
	return nil
}

func (w *world) Subscribe(context.Context, string) (<-chan bus.Message, error) {
	return nil, errors.New("nobody listens")
}

func (w *world) Resume(context.Context, string, bus.Place) (bus.Subscription, error) {
	return bus.Subscription{}, errors.New("nobody listens")
}

// heard returns the messages published so far.
func (w *world) heard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

// commit stores events of one user, whose texts are their order and their ids.
func (w *world) commit(who string, what ...string) []Record {
	w.mu.Lock()
	defer w.mu.Unlock()
	var records []Record
	for _, text := range what {
		e := moved{who, text}
		data, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		r := Record{ID: text, At: w.now, Since: w.now, Name: e.EventName(), Key: keyOf(e), Data: data, Shard: int(hash(who) % Shards)}
		w.shards[r.Shard] = append(w.shards[r.Shard], r)
		records = append(records, r)
	}
	return records
}

func (w *world) waiting() (ids []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, shard := range w.shards {
		for _, r := range shard {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func (w *world) openLanes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.lanes)
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	return fmt.Sprintf("made%03d", w.ids)
}

type receive = func(ctx context.Context, e moved, tell Tell) error

func (w *world) dispatcher(process string, receivers ...receive) *Dispatcher {
	d := New(Config{
		Store: w, Bus: w, Now: w.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Metrics: w, Poll: time.Hour, Wait: time.Minute,
		Holder: process,
	})
	for _, r := range receivers {
		On(d, r)
	}
	return d
}

// noting returns a receiver that records events and notifies subscribers.
func noting(texts *[]string) receive {
	return func(_ context.Context, e moved, tell Tell) error {
		*texts = append(*texts, e.What)
		tell(note{e.Who, "u" + e.What})
		return nil
	}
}

func drain(t *testing.T, d *Dispatcher) {
	t.Helper()
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
