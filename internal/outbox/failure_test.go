package outbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

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
	d.Committed(t.Context(), w.commit("ana", "1")...)
	for i, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
		w.pass(pause - time.Millisecond)
		w.resume(t, d)
		if attempts != i+1 {
			t.Fatalf("%d attempts before the pause of %v was over, want %d", attempts, pause, i+1)
		}
		w.pass(time.Millisecond)
		w.resume(t, d)
	}
	b := backoff{attempts: 40}
	b.postpone(w.Now(), errors.New("wrong"))
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

// resume does what is due.
func (w *world) resume(t *testing.T, d *Dispatcher) {
	d.turns.resume(w.Now())
	for j := d.turns.next(); j != nil; j = d.turns.next() {
		d.turns.step(t.Context(), j)
	}
}

// An event is given up after an hour although no process lives as long.
func TestAttemptsSurviveTheirProcess(t *testing.T) {
	w := newWorld()
	broken := errors.New("broken")
	process := func(name string) *Dispatcher {
		d := w.dispatcher(name, func(context.Context, moved, Tell) error { return broken })
		FanOut(d, "rows", func(_ context.Context, _ moved, cursor string, _ Tell) (string, int, error) {
			if cursor == "" {
				return "1", Later, nil
			}
			return "", 0, broken
		})
		return d
	}
	began := w.Now()
	w.commit("ana", "bad")
	for life := 0; len(w.parked) < 2; life++ {
		if life == 10 {
			t.Fatalf("%d parked after %v", len(w.parked), w.Now().Sub(began))
		}
		d := process(fmt.Sprint("p", life))
		w.tick(t, d)
		for range 15 {
			w.pass(time.Minute)
			w.resume(t, d)
		}
		if err := d.owner.resign(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, dead := range w.parked {
		if dead.Error != "broken" || dead.Attempts < hopelessAttempts || dead.At.Sub(began) < hopeless || dead.At.Sub(began) > 2*hopeless {
			t.Errorf("parked %+v", dead)
		}
	}
	equal(t, "waiting", w.waiting())
}

// An event that nobody can deliver for an hour is parked, with its error. Others with its key
// have never waited for it.
func TestHopelessEventsAreParked(t *testing.T) {
	w := newWorld()
	broken := errors.New("broken")
	var got []string
	d := w.dispatcher("p", func(_ context.Context, e moved, _ Tell) error {
		if e.What == "bad" {
			return broken
		}
		got = append(got, e.What)
		return nil
	})
	FanOut(d, "rows", func(_ context.Context, e moved, cursor string, _ Tell) (string, int, error) {
		switch {
		case e.What != "lane":
			return "", 0, nil
		case cursor == "":
			return "1", Later, nil
		}
		return "", 0, broken
	})
	began := w.Now()
	d.Committed(t.Context(), w.commit("ana", "bad", "lane")...)
	for i := 0; len(w.parked) < 2; i++ {
		if i == 100 {
			t.Fatal("events are not parked")
		}
		d.Committed(t.Context(), w.commit("ana", fmt.Sprint(i))...)
		if want := i + 2; len(got) != want {
			t.Fatalf("%d others were delivered, want %d", len(got), want)
		}
		w.pass(time.Minute)
		w.resume(t, d)
	}
	for _, dead := range w.parked {
		if dead.Error != "broken" || dead.Attempts < hopelessAttempts || dead.At.Sub(began) < hopeless {
			t.Errorf("parked %+v", dead)
		}
		if dead.Name != "" && dead.Cursor != "1" {
			t.Errorf("a lane is parked at the cursor %q", dead.Cursor)
		}
	}
	drain(t, d)
	equal(t, "waiting", w.waiting())
	if b := d.Backlog(); b != (Backlog{}) {
		t.Errorf("backlog %+v", b)
	}
}
