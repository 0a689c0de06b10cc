package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/after"
)

func TestAProcessThatEndsGivesItsShardsBack(t *testing.T) {
	w := newWorld()
	var got []string
	w.commit("ana", "1")
	d := w.dispatcher("a", noting(&got))
	stop := w.running(t, d)
	<-w.toldNews
	stop()
	equal(t, "waiting", w.waiting())
	if len(w.members) > 0 || slices.ContainsFunc(w.owners, func(id string) bool { return id != "" }) {
		t.Errorf("members %v own %v", w.members, w.owners)
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

// tick shows that a process lives, and does what waits.
func (w *world) tick(t *testing.T, d *Dispatcher) {
	t.Helper()
	taken, err := d.tick(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.takeOver(t.Context(), taken)
	w.resume(t, d)
}

// owned returns how many shards each process owns.
func owned(all ...*Dispatcher) (n []string) {
	for _, d := range all {
		n = append(n, strconv.Itoa(len(d.owner.shards())))
	}
	return n
}

// What is idle is divided evenly, and what a process commits is stored where it delivers.
func TestShardsAreDividedAmongProcesses(t *testing.T) {
	w := newWorld()
	var got []string
	one, two, three := w.dispatcher("one", noting(&got)), w.dispatcher("two", noting(&got)), w.dispatcher("three", noting(&got))
	w.tick(t, one)
	equal(t, "alone", owned(one), strconv.Itoa(Shards))
	w.tick(t, two)
	for range 3 {
		w.tick(t, one)
		w.tick(t, two)
	}
	equal(t, "two", owned(one, two), "35", "35")
	for range 3 {
		for _, d := range []*Dispatcher{three, one, two} {
			w.tick(t, d)
		}
	}
	equal(t, "three", owned(one, two, three), "24", "24", "22")
	for i := range 100 {
		if shard := two.Shard(fmt.Sprint(i)); shard < formerShards || !two.owner.owns(shard) {
			t.Fatalf("an event is stored in shard %d of another", shard)
		}
	}
	if err := two.owner.resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.tick(t, one)
	w.tick(t, three)
	equal(t, "after one has ended", owned(one, two, three), "35", "0", "35")
}

// A process that dies before it has shards leaves its events in those of others.
func TestEventsOfAProcessWithoutShardsAreFound(t *testing.T) {
	w := newWorld()
	var got []string
	heir, newcomer := w.dispatcher("heir", noting(&got)), w.dispatcher("newcomer", noting(&got))
	w.tick(t, heir)
	w.tick(t, newcomer)
	const events = 20 // some of them in shards that the heir offers to the newcomer
	for i := range events {
		w.commit(fmt.Sprint("user", i), strconv.Itoa(i))
	}
	for range deadAfter + 1 {
		w.tick(t, heir)
	}
	w.pass(doubt)
	if err := heir.readDoubtful(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.resume(t, heir)
	if len(got) != events {
		t.Errorf("delivered are %q, want %d events", got, events)
	}
	drain(t, heir)
	equal(t, "waiting", w.waiting())
}

// A process that was stopped is taken for dead after few looks. What it has yet to deliver is
// another's, and when it wakes up it changes nothing.
func TestAStoppedProcessIsReplaced(t *testing.T) {
	w := newWorld()
	chunks := map[string][]string{}
	process := func(name string) *Dispatcher {
		d := w.dispatcher(name)
		FanOut(d, "rows", func(_ context.Context, _ moved, cursor string, _ Tell) (string, int, error) {
			n, _ := strconv.Atoi(cursor)
			chunks[name] = append(chunks[name], cursor)
			if n == 5 {
				return "", 1, nil
			}
			return strconv.Itoa(n + 1), Later, nil
		})
		return d
	}
	stopped, heir := process("stopped"), process("heir")
	w.tick(t, stopped)
	stopped.Committed(t.Context(), w.commit("ana", "1")...)
	asleep := stopped.turns.next() // its next step follows when it wakes up
	w.tick(t, heir)
	for range deadAfter - 1 {
		w.tick(t, heir)
	}
	equal(t, "the heir has done", chunks["heir"])
	w.tick(t, heir)
	equal(t, "the heir has done", chunks["heir"], "1", "2", "3", "4", "5")
	equal(t, "owned", owned(heir), strconv.Itoa(Shards))

	before := len(w.cursors)
	stopped.turns.step(t.Context(), asleep)
	if w.openLanes() != 0 || len(w.cursors) != before {
		t.Errorf("the process that wakes up leaves %d lanes and the cursors %v", w.openLanes(), w.cursors)
	}
	if _, err := stopped.tick(t.Context()); !errors.Is(err, ErrNotOwner) {
		t.Errorf("the process that wakes up hears %v", err)
	}
	for range 3 {
		w.tick(t, stopped)
		w.tick(t, heir)
	}
	equal(t, "shared again", owned(stopped, heir), "35", "35")
	drain(t, stopped)
	drain(t, heir)
	equal(t, "waiting", w.waiting())
}

// When the shards are lost, a running receiver may still correct what it has written, because the
// new owner has perhaps been there before. No other receiver is called, which is no failure of the
// event.
func TestADeliveryEndsWithItsRight(t *testing.T) {
	w := newWorld()
	w.commit("ana", "1")
	var d *Dispatcher
	corrects, called := false, 0
	receiver := func(ctx context.Context, _ moved, _ Tell) error {
		called++
		d.lose()
		corrects = ctx.Err() == nil
		return nil
	}
	d = w.dispatcher("a", receiver, receiver)
	w.tick(t, d)
	if !corrects || called != 1 {
		t.Errorf("%d receivers were called, and the first may correct what it has written: %v", called, corrects)
	}
	equal(t, "waiting", w.waiting(), "1")
	if len(w.failed) != 0 {
		t.Error("an ended delivery counts as a failure of its event")
	}
}

// A process that has lost its shards and has joined again has no right to what it began before.
func TestAStepOfAnEarlierLifeStoresNothing(t *testing.T) {
	w := newWorld()
	var d *Dispatcher
	ends := ""
	d = w.dispatcher("a")
	FanOut(d, "rows", func(_ context.Context, _ moved, cursor string, _ Tell) (string, int, error) {
		if cursor == "" {
			return "1", Later, nil
		}
		delete(w.members, d.owner.fence()) // another process takes over
		if _, err := d.tick(t.Context()); !errors.Is(err, ErrNotOwner) {
			t.Errorf("tick = %v", err)
		}
		if _, err := d.tick(t.Context()); err != nil {
			t.Error(err)
		}
		return ends, 1, nil
	})
	for _, ends = range []string{"2", ""} {
		w.tick(t, d)
		d.Committed(t.Context(), w.commit("ana", "ends at "+ends)...)
		w.resume(t, d)
		if len(w.lanes) != 1 {
			t.Errorf("%d lanes, want that of another process", len(w.lanes))
		}
		for id, l := range w.lanes {
			if l.Cursor != "1" {
				t.Errorf("the cursor of another process is now %q", l.Cursor)
			}
			delete(w.lanes, id)
		}
	}
}

// Whatever waits and however often a process looks, an event and a lane are read once by each
// process that owns them.
func TestABacklogIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		const events = 40 * batch
		for i := range events {
			w.commit(fmt.Sprint("user", i%50), fmt.Sprintf("%04d", i))
		}
		process := func(name string, fails bool) *Dispatcher {
			d := w.dispatcher(name, func(context.Context, moved, Tell) error {
				if fails {
					return errors.New("broken")
				}
				return nil
			})
			d.Poll = time.Second
			return d
		}
		run := func(d *Dispatcher, span time.Duration) {
			ctx, stop := context.WithTimeout(t.Context(), span)
			defer stop()
			d.Run(ctx)
		}
		check := func(most int) {
			t.Helper()
			w.mu.Lock()
			defer w.mu.Unlock()
			if len(w.reads) != events {
				t.Errorf("%d of %d events were read", len(w.reads), events)
			}
			for id, n := range w.reads {
				if n > most {
					t.Fatalf("event %s was read %d times", id, n)
				}
			}
		}
		run(process("one", true), 10*time.Minute)
		check(1)
		run(process("two", false), time.Minute)
		check(2)
		equal(t, "waiting", w.waiting())
	})
}

// An idle process makes at most two calls of the store in a second, of which jobs need some.
func TestAnIdleProcessMakesFewCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		d := w.dispatcher("one")
		d.Poll = time.Second
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); d.Run(ctx) }()
		time.Sleep(10 * time.Second) // it starts
		calls := func() int {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.calls
		}
		before := calls()
		const seconds = 600
		time.Sleep(seconds * time.Second)
		if n := calls() - before; n > 8*seconds/5 {
			t.Errorf("%d calls in %d s", n, seconds)
		}
		stop()
		<-ended
	})
}

// Events in the queues of versions before, and those of processes without shards, are found
// although nobody tells of them.
func TestStraysAreFound(t *testing.T) {
	w := newWorld()
	var got []string
	d := w.dispatcher("one", noting(&got))
	w.tick(t, d)
	for shard := range Shards {
		r := w.commit("ana", fmt.Sprintf("%02d", shard))[0]
		w.mu.Lock()
		w.shards[r.Shard] = w.shards[r.Shard][:len(w.shards[r.Shard])-1]
		r.Shard = shard
		w.shards[shard] = append(w.shards[shard], r)
		w.mu.Unlock()
	}
	for i := 1; len(w.waiting()) > 0; i++ {
		if i > 10*Shards {
			t.Fatalf("not found: %v", w.waiting())
		}
		if err := d.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.resume(t, d)
		if err := d.removeDelivered(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i == 8*formerShards && len(got) < formerShards {
			t.Errorf("after %d looks, only %v have been found", i, got)
		}
	}
}

// The store has committed a transaction and its answer was lost. Its events are delivered within
// seconds, and those of transactions that have really failed do no harm.
func TestDoubtfulEventsAreFound(t *testing.T) {
	w := newWorld()
	var got []string
	d := w.dispatcher("one", noting(&got))
	w.tick(t, d)
	look := func() {
		t.Helper()
		if err := d.readDoubtful(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.resume(t, d)
	}
	d.Doubt(w.commit("ana", "1")...)
	d.Doubt(Record{ID: "never stored", Shard: 9})
	look()
	equal(t, "at once", got)
	w.pass(doubt)
	look()
	look()
	equal(t, "later", got, "1")
	drain(t, d)
	equal(t, "waiting", w.waiting())
}

// What is dropped because another process has taken over is not done, even if its mutation is
// answered afterwards.
func TestHeldFanOutsAreDropped(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: 900}
	d := w.dispatcher("one")
	FanOut(d, "rows", s.receive)
	w.tick(t, d)
	ctx, answer := after.Scope(t.Context())
	d.Committed(ctx, w.commit("ana", "1")...)
	d.lose()
	answer()
	w.resume(t, d)
	s.want(t, 600)
}
