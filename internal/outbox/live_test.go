package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/after"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
)

// telling returns a dispatcher on a real bus, whose receiver tells the user of an event its
// text.
func (w *world) telling(b Bus) (*Dispatcher, sender) {
	d := w.dispatcher("p", func(_ context.Context, e moved, tell Tell) error {
		tell(note{e.Who, e.What})
		return nil
	})
	d.Bus = b
	return d, w.sender(d)
}

// sender is a Dispatcher that also creates the records it delivers.
type sender struct {
	*Dispatcher
	w *world
}

func (w *world) sender(d *Dispatcher) sender { return sender{d, w} }

// New returns the records of events that have receivers.
func (s sender) New(ctx context.Context, events ...Event) []Record {
	var records []Record
	for _, e := range events {
		if s.Wants(e) {
			records = append(records, NewRecord(ctx, e, s.w.newID(), s.w.Now()))
		}
	}
	return records
}

// store stores the records of a sender.
func (w *world) store(records []Record) []Record {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range records {
		r.event = nil
		w.shards[r.Shard] = append(w.shards[r.Shard], r)
	}
	return records
}

// listener receives the notes to ana.
type listener <-chan *note

func (w *world) listen(t *testing.T, b Bus) listener {
	t.Helper()
	heard, err := Listen[note](t.Context(), b, "ana", w.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return heard
}

// until returns the texts heard before the given one.
func (l listener) until(text string) (heard []string) {
	for n := range l {
		if n.Text == text {
			return heard
		}
		heard = append(heard, n.Text)
	}
	return append(heard, "the end")
}

// A change is recorded before it is committed. Whoever subscribes in between has not seen
// the change, and receives its events; whoever subscribes when its commit has been reported
// does not, although the clock shows the same time (realtime 3#3, service E5).
func TestTheOrderOfCommitAndSubscriptionDecides(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	d, s := w.telling(b)
	records := s.New(t.Context(), moved{"ana", "1"})
	w.pass(200 * time.Millisecond)
	during := w.listen(t, b)
	w.pass(time.Minute)
	ctx, finish := after.Scope(t.Context())
	d.Committed(ctx, records...)
	s.Tell(ctx, note{"ana", "told"})
	late := w.listen(t, b)
	finish()
	if err := Publish(t.Context(), b, w.Now(), note{"ana", "end"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "during the commit", during.until("end"), "1", "told")
	equal(t, "after the commit", late.until("end"))
}

// What a receiver commits and tells has the cause of its event, also in the rest of a
// fan-out and after failures.
func TestContinuedWorkHasTheFirstCause(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	var s sender
	d := w.dispatcher("p")
	d.Bus, s = b, w.sender(d)
	broken := true
	FanOut(d, "rows", func(ctx context.Context, e moved, cursor string, tell Tell) (string, int, error) {
		n, _ := strconv.Atoi(cursor)
		if e.What != "1" || n == 2 {
			return "", 1, nil
		}
		if n == 1 && broken {
			broken = false
			return "", 0, errors.New("broken")
		}
		tell(note{e.Who, fmt.Sprint("chunk", n)})
		s.Tell(ctx, note{e.Who, fmt.Sprint("change", n)})
		s.Committed(ctx, w.store(s.New(ctx, moved{e.Who, fmt.Sprint("effect", n)}))...)
		return strconv.Itoa(n + 1), Later, nil
	})
	On(d, func(_ context.Context, e moved, tell Tell) error {
		tell(note{e.Who, e.What})
		return nil
	})
	early := w.listen(t, b)
	d.Committed(t.Context(), w.store(s.New(t.Context(), moved{"ana", "1"}))...)
	late := w.listen(t, b)
	w.pass(time.Hour)
	later := w.listen(t, b)
	_ = d.Drain(t.Context()) // one chunk is broken
	drain(t, d)
	if err := Publish(t.Context(), b, w.Now(), note{"ana", "end"}); err != nil {
		t.Fatal(err)
	}
	heard := early.until("end")
	slices.Sort(heard)
	equal(t, "before the commit", heard, "1", "change0", "change1", "chunk0", "chunk1", "effect0", "effect1")
	equal(t, "after the commit", late.until("end"))
	equal(t, "an hour later", later.until("end"))
}

// Of a change that another process has committed only the time of its record is known. When
// in doubt, subscribers receive its events.
func TestBetweenProcessesTheClocksDecide(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	d, _ := w.telling(b)
	w.pass(time.Hour)
	w.commit("ana", "1")
	w.pass(tolerance)
	during := w.listen(t, b)
	w.pass(time.Microsecond)
	late := w.listen(t, b)
	drain(t, d)
	if err := Publish(t.Context(), b, w.Now(), note{"ana", "end"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "in doubt", during.until("end"), "1")
	equal(t, "certainly later", late.until("end"))
}

// What was committed before the process started is older than all its subscriptions.
func TestAProcessRepeatsNothingOfItsPredecessor(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	dead := w.dispatcher("p", func(context.Context, moved, Tell) error { return errors.New("dying") })
	dead.Committed(t.Context(), w.commit("ana", "1")...)
	w.pass(time.Second)
	d, _ := w.telling(b)
	l := w.listen(t, b)
	drain(t, d)
	if err := Publish(t.Context(), b, w.Now(), note{"ana", "end"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "heard", l.until("end"))
}

// follow listens like Follow, and returns the failure with which the subscription ended.
func follow(t *testing.T, b Bus, show func(*note) (*note, bool, error)) (<-chan *note, *error) {
	t.Helper()
	failed := new(error)
	ctx := bus.WithFailure(t.Context(), func(err error) { *failed = err })
	admit := func(context.Context) error { return nil }
	heard, err := Follow(ctx, b, "ana", time.Time{}, admit, func(_ context.Context, n *note) (*note, bool, error) { return show(n) })
	if err != nil {
		t.Fatal(err)
	}
	return heard, failed
}

// A subscriber's panic ends neither the process nor other subscriptions.
func TestAPanicEndsItsSubscription(t *testing.T) {
	b := &bus.Local{}
	panics, failed := follow(t, b, func(*note) (*note, bool, error) { panic("oh") })
	shows, _ := follow(t, b, func(n *note) (*note, bool, error) { return n, true, nil })
	if err := Publish(t.Context(), b, time.Now(), note{"ana", "1"}); err != nil {
		t.Fatal(err)
	}
	if _, open := <-panics; open || *failed == nil || !strings.Contains((*failed).Error(), "panic: oh") {
		t.Errorf("the subscription goes on, or ended with %v", *failed)
	}
	if n := <-shows; n.Text != "1" {
		t.Errorf("the other one heard %q", n.Text)
	}
	if _, open := <-shows; open {
		t.Error("the other one goes on after its last event")
	}
}

func TestShowingAnEventIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bus.Local{}
		attempts := 0
		var err error
		heard, failed := follow(t, b, func(n *note) (*note, bool, error) {
			if attempts++; attempts < showAttempts {
				return nil, false, errors.New("no store")
			}
			return n, false, err
		})
		publish := func() {
			attempts = 0
			if err := Publish(t.Context(), b, time.Now(), note{"ana", "1"}); err != nil {
				t.Fatal(err)
			}
		}
		publish()
		if n := <-heard; n.Text != "1" || *failed != nil {
			t.Errorf("heard %v, failed with %v", n, *failed)
		}
		err = errors.New("still no store")
		publish()
		if _, open := <-heard; open || *failed != err || attempts != showAttempts {
			t.Errorf("after %d attempts, the subscription goes on, or ended with %v", attempts, *failed)
		}
	})
}

func TestARefusalEndsASubscription(t *testing.T) {
	b := &bus.Local{}
	attempts := 0
	heard, failed := follow(t, b, func(*note) (*note, bool, error) {
		attempts++
		return nil, false, fmt.Errorf("now: %w", refusal.Forbiddenf("no member"))
	})
	if err := Publish(t.Context(), b, time.Now(), note{"ana", "1"}); err != nil {
		t.Fatal(err)
	}
	if _, open := <-heard; open || *failed != nil || attempts != 1 {
		t.Errorf("after %d attempts, the subscription goes on, or failed with %v", attempts, *failed)
	}
}
