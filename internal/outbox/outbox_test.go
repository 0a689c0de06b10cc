package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/lease"
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
	leases map[string]lease.Record
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
		now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), lanes: map[string]Lane{}, leases: map[string]lease.Record{},
		toldNews: make(chan struct{}, 10_000),
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

func (w *world) Pending(_ context.Context, shard int, q page.Query) (page.Page[Record], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var p page.Page[Record]
	for _, r := range w.shards[shard] {
		if r.ID <= q.After {
			continue
		}
		if len(p.Items) == q.First {
			p.Next = p.Items[len(p.Items)-1].ID
			break
		}
		p.Items = append(p.Items, r)
	}
	return p, nil
}

func (w *world) Done(ctx context.Context, shard int, records []Record) error {
	if w.hangDone {
		<-ctx.Done()
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failDone != nil {
		return w.failDone
	}
	w.shards[shard] = slices.DeleteFunc(w.shards[shard], func(r Record) bool {
		return slices.ContainsFunc(records, func(done Record) bool { return done.ID == r.ID })
	})
	return nil
}

func (w *world) Lanes(_ context.Context, shard int, _ page.Query) (p page.Page[Lane], err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lanes {
		if l.Shard() == shard {
			p.Items = append(p.Items, l)
		}
	}
	slices.SortFunc(p.Items, func(a, b Lane) int { return strings.Compare(a.id(), b.id()) })
	return p, nil
}

func (w *world) OpenLane(_ context.Context, l Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.lanes[l.id()]; !ok {
		w.lanes[l.id()] = l
		w.cursors = append(w.cursors, l.Cursor)
	}
	return nil
}

func (w *world) AdvanceLane(_ context.Context, l Lane, cursor string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l.Cursor = cursor
	w.lanes[l.id()] = l
	w.cursors = append(w.cursors, cursor)
	return nil
}

func (w *world) CloseLane(_ context.Context, l Lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
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
		r := Record{ID: text, At: w.now, Since: w.now, Name: e.EventName(), Key: keyOf(e), Data: data}
		w.shards[r.Shard()] = append(w.shards[r.Shard()], r)
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
		Leases: &lease.Keeper{Store: w, Holder: process, For: time.Minute, Now: w.Now},
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

func TestEventsAreDeliveredBeforeCommittedReturns(t *testing.T) {
	w := newWorld()
	var got []string
	d := w.dispatcher("p", noting(&got))
	ctx, finish := after.Scope(t.Context())
	d.Committed(ctx, w.commit("ana", "1", "2")...)
	equal(t, "received", got, "1", "2")
	equal(t, "told before the answer", w.heard())
	finish()
	equal(t, "told", w.heard(), "u1", "u2")
	drain(t, d)
	equal(t, "waiting", w.waiting())
	equal(t, "received once", got, "1", "2")
}

func TestASlowReceiverGoesOnBehindTheAnswer(t *testing.T) {
	w := newWorld()
	release := make(chan struct{})
	d := w.dispatcher("p", func(_ context.Context, e moved, tell Tell) error {
		<-release
		tell(note{e.Who, "late"})
		return nil
	})
	d.Wait = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	ctx, finish := after.Scope(ctx)
	d.Committed(ctx, w.commit("ana", "1")...) // returns although the receiver is blocked
	finish()
	cancel() // like a request's context
	if due := d.shards[(Record{Key: "ana"}).Shard()]; due.begun["1"] == nil || !due.begun["1"].running {
		t.Error("the delivery is not noted as under way")
	}
	close(release)
	drain(t, d)
	equal(t, "told", w.heard(), "late")
	equal(t, "waiting", w.waiting())
}

// Committed does not wait here, so everything it delivers is delivered by its own
// goroutine.
func TestWhoCommitsAnnounces(t *testing.T) {
	w := newWorld()
	d := w.dispatcher("p")
	d.Wait = 0
	started, release := make(chan struct{}), make(chan struct{})
	Announce(d, func(e moved, tell Tell) { tell(note{e.Who, e.What}) })
	On(d, func(context.Context, moved, Tell) error {
		close(started)
		<-release
		return nil
	}, func(e moved) bool { return e.What == "slow" })
	commit := func(what string) {
		records := w.commit("ana", what)
		records[0].event = moved{"ana", what}
		d.Committed(t.Context(), records...)
	}
	commit("1")
	equal(t, "told", w.heard(), "1")
	commit("slow")
	<-started
	commit("2") // waits for the previous one, unlike the commit
	equal(t, "told while another receiver works", w.heard(), "1")
	close(release)
	drain(t, d)
	equal(t, "told", w.heard(), "1", "slow", "2")
	equal(t, "waiting", w.waiting())
}

func TestOthersLeaveYoungEventsAlone(t *testing.T) {
	w := newWorld()
	w.commit("ana", "1")
	var got []string
	d := w.dispatcher("other", noting(&got))
	s := d.shards[(Record{Key: "ana"}).Shard()]
	look := func() {
		t.Helper()
		if err := s.look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.pass(grace - time.Millisecond)
	look()
	equal(t, "received of a young event", got)
	if len(w.leases) != 0 {
		t.Errorf("leases taken for nothing: %v", w.leases)
	}
	w.pass(time.Millisecond)
	look()
	equal(t, "received", got, "1")
	equal(t, "waiting", w.waiting())
}

func TestWhatReceiversCommitFollowsBeforeTheAnswer(t *testing.T) {
	w := newWorld()
	var got []string
	var since []time.Time
	var d *Dispatcher
	d = w.dispatcher("p", func(ctx context.Context, e moved, _ Tell) error {
		got = append(got, e.What)
		since = append(since, runOf(ctx).now().Since)
		if e.What == "1" {
			w.pass(time.Second)
			s := w.sender(d)
			s.Committed(ctx, s.New(ctx, moved{e.Who, "2"})...)
			got = append(got, "end of 1")
		}
		return nil
	})
	began := w.Now()
	d.Committed(t.Context(), w.commit("ana", "1")...)
	equal(t, "received", got, "1", "end of 1", "2")
	if !since[1].Equal(began) {
		t.Errorf("the second event is said to be caused at %v, not %v", since[1], began)
	}
}

// realtime 3#4
func TestEventsOfOneKeyWaitForEachOther(t *testing.T) {
	w := newWorld()
	var mu sync.Mutex
	running := map[string]int{}
	d := w.dispatcher("p", func(_ context.Context, e moved, _ Tell) error {
		mu.Lock()
		running[e.Who]++
		if running[e.Who] > 1 {
			t.Errorf("two deliveries of %s at a time", e.Who)
		}
		mu.Unlock()
		time.Sleep(100 * time.Microsecond)
		mu.Lock()
		running[e.Who]--
		mu.Unlock()
		return nil
	})
	var all sync.WaitGroup
	for i := range 40 {
		records := w.commit([]string{"ana", "ben"}[i%2], fmt.Sprint(i))
		all.Go(func() { d.Committed(t.Context(), records...) })
	}
	all.Wait()
	drain(t, d)
}

// realtime 3#4
func TestDrainDeliversEverythingInOrder(t *testing.T) {
	w := newWorld()
	var ids []string
	for i := range 3*batch + 1 {
		ids = append(ids, fmt.Sprintf("%03d", i))
	}
	w.commit("ana", ids...)
	w.pass(2 * time.Second)
	var got []string
	drain(t, w.dispatcher("p", noting(&got)))
	equal(t, "received", got, ids...)
	equal(t, "waiting", w.waiting())
	if len(w.told) != len(ids) || len(w.lags) != len(ids) || w.lags[0] != 2*time.Second {
		t.Errorf("%d told, %d measured, lag %v", len(w.told), len(w.lags), w.lags[0])
	}
}

func TestSubscribersAreToldAfterAllReceivers(t *testing.T) {
	w := newWorld()
	w.commit("ana", "1")
	var got []string
	drain(t, w.dispatcher("p", noting(&got), func(context.Context, moved, Tell) error {
		if len(w.told) > 0 {
			t.Error("subscribers were told before the last receiver")
		}
		return nil
	}))
	equal(t, "told", w.told, "u1")
}

func TestReceiversGetTheEventsTheyAreRegisteredFor(t *testing.T) {
	w := newWorld()
	var all, some []string
	isTwo := func(e moved) bool { return e.What == "2" }
	d := w.dispatcher("p")
	On(d, noting(&some), isTwo)
	if d.Wants(moved{"ana", "1"}) || !d.Wants(moved{"ana", "2"}) {
		t.Error("an event is stored for a receiver that does not get it, or not for one that does")
	}
	On(d, noting(&all))
	d.Committed(t.Context(), w.commit("ana", "1", "2")...)
	drain(t, d)
	equal(t, "the one for some got", some, "2")
	equal(t, "the one for all got", all, "1", "2")
	equal(t, "waiting", w.waiting())
}

func TestOnlyWhatIsHeardIsPublishedAfterTheAnswer(t *testing.T) {
	w := newWorld()
	d := w.dispatcher("p")
	ctx, finish := after.Scope(t.Context())
	s := w.sender(d)
	s.Tell(ctx, note{"deaf", "lost"}, note{"ana", "told"})
	equal(t, "told before the answer", w.told)
	finish()
	equal(t, "told", w.told, "told")
}

func TestAFailingReceiverIsTriedAgainAlone(t *testing.T) {
	w := newWorld()
	var steady, tried []string
	broken := true
	d := w.dispatcher("p", noting(&steady), func(_ context.Context, e moved, tell Tell) error {
		tried = append(tried, e.What)
		if e.What == "1" && broken {
			tell(note{e.Who, "half"})
			return errors.New("broken")
		}
		tell(note{e.Who, "rest" + e.What})
		return nil
	})
	d.Committed(t.Context(), w.commit("ana", "1", "2")...)
	equal(t, "told", w.told, "u1", "half", "u2", "rest2")
	if err := d.Drain(t.Context()); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Fatalf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
	broken = false
	drain(t, d)
	equal(t, "waiting", w.waiting())
	equal(t, "the other receiver got", steady, "1", "2")
	equal(t, "the failing receiver got", tried, "1", "2", "1", "1")
	equal(t, "told", w.told, "u1", "half", "u2", "rest2", "half", "rest1")
	if len(w.failed) != 2 {
		t.Errorf("%d failures measured", len(w.failed))
	}
}

func TestPausesGrow(t *testing.T) {
	w := newWorld()
	attempts := 0
	d := w.dispatcher("p", func(context.Context, moved, Tell) error {
		attempts++
		return errors.New("broken")
	})
	s := d.shards[(Record{Key: "ana"}).Shard()]
	d.Committed(t.Context(), w.commit("ana", "1")...)
	for i, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		w.pass(pause - time.Millisecond)
		if err := s.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if attempts != i+1 {
			t.Fatalf("%d attempts before the pause of %v was over, want %d", attempts, pause, i+1)
		}
		w.pass(time.Millisecond)
		if err := s.look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b := backoff{attempts: 40}
	b.postpone(w.Now())
	if wait := b.notUntil.Sub(w.Now()); wait != maxPause {
		t.Errorf("the longest pause is %v", wait)
	}
}

func TestDeliveredEventsThatCannotBeRemovedAreNotDeliveredAgain(t *testing.T) {
	w := newWorld()
	w.failDone = errors.New("no store")
	var got []string
	d := w.dispatcher("p", noting(&got))
	d.Committed(t.Context(), w.commit("ana", "1")...)
	if err := d.Drain(t.Context()); !errors.Is(err, w.failDone) {
		t.Fatalf("Drain = %v", err)
	}
	w.failDone = nil
	drain(t, d)
	equal(t, "received", got, "1")
	equal(t, "told", w.told, "u1")
	equal(t, "waiting", w.waiting())
	if len(d.begun) != 0 {
		t.Errorf("%d deliveries are remembered", len(d.begun))
	}
}

func TestEventsThatNobodyKnowsStay(t *testing.T) {
	w := newWorld()
	w.commit("ana", "1")
	d := w.dispatcher("p")
	if err := d.Drain(t.Context()); err == nil || !strings.Contains(err.Error(), "event moved has no receiver") {
		t.Errorf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
	if records := w.sender(d).New(t.Context(), moved{"ana", "2"}); len(records) != 0 {
		t.Errorf("an event that nobody receives is stored: %v", records)
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	w := newWorld()
	d := w.dispatcher("p", func(_ context.Context, e moved, _ Tell) error {
		if e.What == "1" {
			panic("oh")
		}
		return nil
	})
	d.Committed(t.Context(), w.commit("ana", "1", "2")...)
	err := d.Drain(t.Context())
	if err == nil || !strings.Contains(err.Error(), "panic: oh") {
		t.Errorf("Drain = %v", err)
	}
	equal(t, "waiting", w.waiting(), "1")
}

// running starts a dispatcher and stops it at the end of the test.
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

func TestAnotherProcessTakesOver(t *testing.T) {
	w := newWorld()
	var first, second []string
	w.commit("ana", "1")
	drain(t, w.dispatcher("a", noting(&first)))

	other := w.dispatcher("b", noting(&second))
	w.commit("ana", "2")
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
	w.commit("ana", "1")
	w.pass(grace)
	d := w.dispatcher("a", noting(&got))
	stop := w.running(t, d)
	<-w.toldNews
	stop()
	equal(t, "waiting", w.waiting())
	for name, record := range w.leases {
		if record.Holder != "" {
			t.Errorf("lease %s is still held by %s", name, record.Holder)
		}
	}
}

// A receiver or a store that does not respond keeps no process from ending. The events
// remain for the next one.
func TestAProcessEndsWhateverHangs(t *testing.T) {
	for name, c := range map[string]struct {
		receiver, removal bool
		most              time.Duration
	}{
		"the receiver": {receiver: true, most: ending},
		"the removal":  {removal: true, most: 2 * removal},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.hangDone = c.removal
				d := w.dispatcher("one", func(ctx context.Context, _ moved, _ Tell) error {
					if c.receiver {
						<-ctx.Done()
					}
					return ctx.Err()
				})
				d.Wait = time.Second
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() { defer close(ended); d.Run(ctx) }()
				d.Committed(ctx, w.commit("ana", "a")...)
				time.Sleep(time.Second)
				began := time.Now()
				stop()
				<-ended
				if took := time.Since(began); took > c.most {
					t.Errorf("it took %v to end", took)
				}
				equal(t, "waiting", w.waiting(), "a")
			})
		})
	}
}

func TestADeliveryEndsWithItsLease(t *testing.T) {
	w := newWorld()
	w.commit("ana", "1")
	started := make(chan struct{})
	d := w.dispatcher("a", func(ctx context.Context, _ moved, _ Tell) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	})
	d.Leases.For = 8 * time.Millisecond // the lease is checked every millisecond
	go func() {
		<-started
		// The clock jumps, and another process acquires the lease before the holder can
		// renew it.
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
