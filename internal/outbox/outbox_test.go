package outbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/lease"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

// world is what several dispatchers of a test share: the stored events and leases, the
// clock, and what users were told.
type world struct {
	mu     sync.Mutex
	now    time.Time
	shards [social.EventShards][]social.Event
	leases map[string]lease.Record
	// failDone is what the next removals fail with.
	failDone error
	told     []string
	toldNews chan struct{}
	failed   []social.EventKind
	lags     []time.Duration
}

func newWorld() *world {
	return &world{
		now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), leases: map[string]lease.Record{},
		toldNews: make(chan struct{}, 1000),
	}
}

func (w *world) Load(_ context.Context, name string) (lease.Record, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.leases[name], nil
}

func (w *world) Swap(_ context.Context, name string, prev, next lease.Record) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leases[name] != prev {
		return false, nil
	}
	w.leases[name] = next
	return true, nil
}

func (w *world) Pending(_ context.Context, shard int, q page.Query) (page.Page[social.Event], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var p page.Page[social.Event]
	for _, e := range w.shards[shard] {
		if e.ID <= q.After {
			continue
		}
		if len(p.Items) == q.First {
			p.Next = p.Items[len(p.Items)-1].ID
			break
		}
		p.Items = append(p.Items, e)
	}
	return p, nil
}

func (w *world) Done(_ context.Context, shard int, events []social.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failDone != nil {
		return w.failDone
	}
	w.shards[shard] = slices.DeleteFunc(w.shards[shard], func(e social.Event) bool { return slices.Contains(events, e) })
	return nil
}

func (w *world) Delivered(_ social.EventKind, lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lags = append(w.lags, lag)
}

func (w *world) Failed(kind social.EventKind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = append(w.failed, kind)
}

func (w *world) announce(_ context.Context, n social.Notification) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, string(n.UserID))
	w.toldNews <- struct{}{}
	return nil
}

// store puts events of one user, whose ids are their order.
func (w *world) store(user viewer.UserID, ids ...string) []social.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var events []social.Event
	for _, id := range ids {
		e := social.Event{ID: id, At: w.now, Kind: social.PostMoved, UserID: user}
		w.shards[e.Shard()] = append(w.shards[e.Shard()], e)
		events = append(events, e)
	}
	return events
}

func (w *world) waiting() (ids []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, shard := range w.shards {
		for _, e := range shard {
			ids = append(ids, e.ID)
		}
	}
	return ids
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

func (w *world) dispatcher(process string, receivers ...Receiver) *Dispatcher {
	d := New(Config{
		Store: w, Announce: w.announce, Now: w.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Measures: w, Poll: time.Hour,
		Leases: &lease.Keeper{Store: w, Holder: process, For: time.Minute, Now: w.Now},
	})
	if len(receivers) > 0 {
		d.On(social.PostMoved, receivers...)
	}
	return d
}

// note is a Receiver that records ids and tells a user of that name.
func note(ids *[]string) Receiver {
	return func(_ context.Context, e social.Event) ([]social.Notification, error) {
		*ids = append(*ids, e.ID)
		return []social.Notification{{UserID: viewer.UserID("u" + e.ID)}}, nil
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

func TestDrainDeliversEverythingInOrder(t *testing.T) {
	w := newWorld()
	var ids []string
	for i := range 3*batch + 1 {
		ids = append(ids, fmt.Sprintf("%03d", i))
	}
	w.store("ana", ids...)
	w.pass(2 * time.Second)
	var got []string
	drain(t, w.dispatcher("p", note(&got)))
	equal(t, "received", got, ids...)
	equal(t, "waiting", w.waiting())
	if len(w.told) != len(ids) || len(w.lags) != len(ids) || w.lags[0] != 2*time.Second {
		t.Errorf("%d told, %d measured, lag %v", len(w.told), len(w.lags), w.lags[0])
	}
}

func TestUsersAreToldAfterAllReceivers(t *testing.T) {
	w := newWorld()
	w.store("ana", "1")
	var got []string
	drain(t, w.dispatcher("p", note(&got), Quietly(func(context.Context, social.Event) error {
		if len(w.told) > 0 {
			t.Error("users were told before the last receiver")
		}
		return nil
	})))
	equal(t, "told", w.told, "u1")
}

func TestAFailingReceiverIsTriedAgainAlone(t *testing.T) {
	w := newWorld()
	w.store("ana", "1", "2")
	var steady, tried []string
	broken := true
	d := w.dispatcher("p", note(&steady), func(_ context.Context, e social.Event) ([]social.Notification, error) {
		tried = append(tried, e.ID)
		if e.ID == "1" && broken {
			return []social.Notification{{UserID: "half"}}, errors.New("broken")
		}
		return []social.Notification{{UserID: viewer.UserID("rest" + e.ID)}}, nil
	})
	if err := d.Drain(t.Context()); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Fatalf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
	equal(t, "told", w.told, "u2", "rest2")
	broken = false
	drain(t, d)
	equal(t, "waiting", w.waiting())
	equal(t, "the other receiver got", steady, "1", "2")
	equal(t, "the failing receiver got", tried, "1", "2", "1")
	equal(t, "told", w.told, "u2", "rest2", "u1", "half", "rest1")
	if len(w.failed) != 1 {
		t.Errorf("%d failures measured", len(w.failed))
	}
}

func TestPausesGrow(t *testing.T) {
	w := newWorld()
	w.store("ana", "1")
	attempts := 0
	d := w.dispatcher("p", Quietly(func(context.Context, social.Event) error {
		attempts++
		return errors.New("broken")
	}))
	s := d.shards[social.Event{UserID: "ana"}.Shard()]
	sweep := func() {
		t.Helper()
		due := func(e social.Event) bool { return s.begun[e.ID].due(w.Now()) }
		if _, err := s.sweep(t.Context(), due, func(social.Event, error) {}); err != nil {
			t.Fatal(err)
		}
	}
	for i, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		sweep()
		w.pass(pause - time.Millisecond)
		sweep()
		if attempts != i+1 {
			t.Fatalf("%d attempts before the pause of %v was over, want %d", attempts, pause, i+1)
		}
		w.pass(time.Millisecond)
	}
	s.begun["1"].attempts = 40
	sweep()
	if wait := s.begun["1"].notUntil.Sub(w.Now()); wait != mostPause {
		t.Errorf("the longest pause is %v", wait)
	}
}

func TestDeliveredEventsThatCannotBeRemovedAreNotDeliveredAgain(t *testing.T) {
	w := newWorld()
	w.store("ana", "1")
	w.failDone = errors.New("no store")
	var got []string
	d := w.dispatcher("p", note(&got))
	if err := d.Drain(t.Context()); !errors.Is(err, w.failDone) {
		t.Fatalf("Drain = %v", err)
	}
	w.failDone = nil
	drain(t, d)
	equal(t, "received", got, "1")
	equal(t, "told", w.told, "u1")
	equal(t, "waiting", w.waiting())
}

func TestEventsThatNobodyKnowsStay(t *testing.T) {
	w := newWorld()
	w.store("ana", "1")
	if err := w.dispatcher("p").Drain(t.Context()); err == nil || !strings.Contains(err.Error(), "nobody receives events of kind post.moved") {
		t.Errorf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
}

func TestAPanicIsAFailure(t *testing.T) {
	w := newWorld()
	w.store("ana", "1", "2")
	err := w.dispatcher("p", Quietly(func(_ context.Context, e social.Event) error {
		if e.ID == "1" {
			panic("oh")
		}
		return nil
	})).Drain(t.Context())
	if err == nil || !strings.Contains(err.Error(), "receiver panicked: oh") {
		t.Errorf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
}

func TestDrainDeliversWhatReceiversStore(t *testing.T) {
	w := newWorld()
	w.store("zoe", "1")
	var got []string
	drain(t, w.dispatcher("p", note(&got), Quietly(func(_ context.Context, e social.Event) error {
		if e.ID == "1" {
			w.store("ana", "2")
			w.store("zoe", "3")
		}
		return nil
	})))
	slices.Sort(got)
	equal(t, "received", got, "1", "2", "3")
}

// running starts a dispatcher and stops it with the test.
func (w *world) running(t *testing.T, d *Dispatcher) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

func TestCommittedEventsAreDeliveredAfterTheAnswer(t *testing.T) {
	w := newWorld()
	var mu sync.Mutex
	answered := false
	d := w.dispatcher("p", func(context.Context, social.Event) ([]social.Notification, error) {
		mu.Lock()
		defer mu.Unlock()
		if !answered {
			t.Error("delivered before the answer")
		}
		return []social.Notification{{UserID: "ana"}}, nil
	})
	w.running(t, d)
	ctx, finish := after.Scope(t.Context())
	d.Committed(ctx, w.store("ana", "1")...)
	mu.Lock()
	answered = true
	mu.Unlock()
	finish()
	<-w.toldNews
}

func TestFulfilledEventsAreNotDelivered(t *testing.T) {
	w := newWorld()
	var got []string
	d := w.dispatcher("p", note(&got))
	d.Fulfilled(t.Context(), w.store("ana", "1")[0])
	equal(t, "waiting", w.waiting())
	drain(t, d)
	equal(t, "delivered", got)

	w.failDone = errors.New("late")
	d.Fulfilled(t.Context(), w.store("ana", "2")[0])
	w.failDone = nil
	drain(t, d)
	equal(t, "delivered after a removal that failed", got, "2")
}

func TestAnotherProcessTakesOver(t *testing.T) {
	w := newWorld()
	var first, second []string
	w.store("ana", "1")
	drain(t, w.dispatcher("a", note(&first)))

	other := w.dispatcher("b", note(&second))
	w.store("ana", "2")
	if err := other.Drain(t.Context()); !errors.Is(err, errHeldElsewhere) {
		t.Errorf("Drain beside the holder = %v", err)
	}
	w.pass(time.Minute)
	drain(t, other)
	equal(t, "the first process got", first, "1")
	equal(t, "the second process got", second, "2")
}

func TestAProcessThatEndsGivesItsShardsBack(t *testing.T) {
	w := newWorld()
	var got []string
	d := w.dispatcher("a", note(&got))
	stop := w.running(t, d)
	d.Committed(t.Context(), w.store("ana", "1")...)
	<-w.toldNews
	stop()
	equal(t, "waiting", w.waiting())
	for name, record := range w.leases {
		if record.Holder != "" {
			t.Errorf("lease %s is still held by %s", name, record.Holder)
		}
	}
}

func TestADeliveryEndsWithItsLease(t *testing.T) {
	w := newWorld()
	w.store("ana", "1")
	started := make(chan struct{})
	d := w.dispatcher("a", Quietly(func(ctx context.Context, _ social.Event) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	}))
	d.Leases.For = 8 * time.Millisecond // renewals look at the lease once a millisecond
	go func() {
		<-started
		// The clock jumps, and before the holder can renew somebody else has the lease.
		w.mu.Lock()
		w.now = w.now.Add(time.Hour)
		for name := range w.leases {
			w.leases[name] = lease.Record{Holder: "b", Term: 9, Expires: w.now.Add(time.Hour)}
		}
		w.mu.Unlock()
	}()
	if err := d.Drain(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
	if len(w.failed) != 0 {
		t.Error("an ended delivery counts as a failure of its event")
	}
}
