package nats

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"stoa/internal/kit/bus"
)

// leave reads n messages of a subscription in a process, leaves, and returns its place.
func leave(t *testing.T, b *Bus, n int, publish func()) (place bus.Place) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	messages, err := b.Subscribe(ctx, "s")
	if err != nil {
		t.Fatal(err)
	}
	publish()
	for range n {
		place = (<-messages).Place
	}
	cancel()
	drained(messages)
	return place
}

func resume(t *testing.T, b *Bus, from bus.Place) bus.Subscription {
	t.Helper()
	s, err := b.Resume(t.Context(), "s", from)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// realtime 14#3,7: a subscriber resumes in any process, with what each has published.
func TestASubscriptionResumesInAnyProcess(t *testing.T) {
	s := serve(t, -1)
	all := []*Bus{connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")}
	n := 0
	next := func(by *Bus) { n++; publish(t, by, "s", fmt.Sprint(n)) }
	place := leave(t, all[0], 1, func() { next(all[0]) })
	for round := range 12 {
		first := n + 1
		for _, by := range all {
			next(by)
		}
		to := all[round%len(all)]
		resumed := resume(t, to, place)
		if !resumed.Continuous {
			t.Fatalf("round %d: a gap", round)
		}
		next(to)
		heard := map[string]bool{}
		for range n - first + 1 {
			m := <-resumed.Messages
			if heard[string(m.Data)] {
				t.Errorf("round %d: heard %s twice", round, m.Data)
			}
			heard[string(m.Data)], place = true, m.Place
		}
		for i := first; i <= n; i++ {
			if !heard[fmt.Sprint(i)] {
				t.Errorf("round %d: %d is missing", round, i)
			}
		}
	}
}

// What is published while a subscriber moves arrives once, in the order of each publisher.
func TestASubscriptionMovesWhileMessagesArrive(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	const messages = 1000
	var publishing sync.WaitGroup
	place := leave(t, one, 1, func() { publish(t, one, "s", "0 of two") })
	publishing.Go(func() {
		for i := range messages {
			publish(t, one, "s", fmt.Sprint(i, " of one"))
			publish(t, two, "s", fmt.Sprint(i+1, " of two"))
		}
	})
	wanted := map[string]int{"one": 0, "two": 1}
	for moved := 0; wanted["one"] < messages || wanted["two"] <= messages; moved++ {
		ctx, cancel := context.WithCancel(t.Context())
		resumed, err := []*Bus{one, two}[moved%2].Resume(ctx, "s", place)
		if err != nil || !resumed.Continuous {
			t.Fatalf("after %v: %v, continuous: %t", wanted, err, resumed.Continuous)
		}
		for range 50 {
			m := <-resumed.Messages
			var n int
			var by string
			fmt.Sscanf(string(m.Data), "%d of %s", &n, &by)
			if n != wanted[by] {
				t.Fatalf("heard %s, want %d", m.Data, wanted[by])
			}
			wanted[by]++
			place = m.Place
			if wanted["one"] == messages && wanted["two"] == messages+1 {
				break
			}
		}
		cancel()
	}
	publishing.Wait()
}

func TestLargeAnswers(t *testing.T) {
	for size, continuous := range map[int]bool{100_000: true, 500_000: false} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			s := serve(t, -1)
			one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
			place := leave(t, one, 1, func() { publish(t, one, "s", "1") })
			const messages = 10
			for i := range messages {
				publish(t, one, "s", fmt.Sprint(i)+strings.Repeat("x", size))
			}
			resumed := resume(t, two, place)
			if resumed.Continuous != continuous {
				t.Fatalf("continuous: %t", resumed.Continuous)
			}
			for i := 0; continuous && i < messages; i++ {
				if m := <-resumed.Messages; m.Data[0] != byte('0'+i) || len(m.Data) != size+1 {
					t.Errorf("heard %.10s of %d bytes, want %d", m.Data, len(m.Data), i)
				}
			}
		})
	}
}

// realtime 14#4: who has been in a process that is gone, or that never was, is told of a gap, and
// hears what follows.
func TestTheOtherProcessIsGone(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	place := leave(t, one, 1, func() { publish(t, one, "s", "1") })
	one.conn.Close()
	for name, from := range map[string]bus.Place{
		"dead": place, "none": {}, "unknown": {Process: "X", Number: 1, Began: 1}, "lost messages": leave(t, two, 1, func() { publish(t, two, "s", "2") }),
	} {
		two.local.LoseAll()
		resumed := resume(t, two, from)
		if resumed.Continuous {
			t.Errorf("%s: continuous", name)
		}
		publish(t, two, "s", name)
		if m := <-resumed.Messages; string(m.Data) != name {
			t.Errorf("%s: heard %s", name, m.Data)
		}
		again := resume(t, two, resumed.Place)
		if m := <-again.Messages; !again.Continuous || string(m.Data) != name {
			t.Errorf("%s: then heard %s, continuous: %t", name, m.Data, again.Continuous)
		}
	}
}

// Another process may not answer at all.
func TestTheOtherProcessDoesNotAnswer(t *testing.T) {
	s := serve(t, -1)
	one, two := connect(t, s, "stoa-bus"), connect(t, s, "stoa-bus")
	place := leave(t, one, 1, func() { publish(t, one, "s", "1") })
	if err := one.conn.Flush(); err != nil {
		t.Fatal(err)
	}
	one.out.mu.Lock()
	resumed := resume(t, two, place)
	one.out.mu.Unlock()
	if resumed.Continuous {
		t.Error("continuous")
	}
	publish(t, one, "s", "2")
	if m := <-resumed.Messages; string(m.Data) != "2" {
		t.Errorf("heard %s", m.Data)
	}
}
