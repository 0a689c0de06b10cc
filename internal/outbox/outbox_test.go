package outbox

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/after"
)

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

// service E3: a receiver that takes too long continues after the answer.
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
	d.mu.Lock()
	begun := d.begun["1"]
	if begun == nil || !begun.running {
		t.Error("the delivery is not noted as under way")
	}
	d.mu.Unlock()
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

// realtime 3#4: events of one key are delivered in order, whatever their receivers take.
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

// realtime 3#4: draining delivers everything in order.
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
