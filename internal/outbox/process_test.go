package outbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/lease"
)

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
