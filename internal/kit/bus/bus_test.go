package bus

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

func subscribe(t *testing.T, b *Local, ctx context.Context, subject string) <-chan []byte {
	t.Helper()
	messages, err := b.Subscribe(ctx, subject)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func publish(t *testing.T, b *Local, subject, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), subject, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func wantNoSubjects(t *testing.T, b *Local) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.subjects) != 0 {
		t.Errorf("subjects left behind: %v", b.subjects)
	}
}

// realtime 3#1,4
func TestEverySubscriberOfTheSubjectGetsEachMessageInOrder(t *testing.T) {
	var b Local
	publish(t, &b, "a", "before anybody listens")
	first := subscribe(t, &b, t.Context(), "a")
	second := subscribe(t, &b, t.Context(), "a")
	other := subscribe(t, &b, t.Context(), "b")
	if !b.Heard("a") || !b.Heard("b") || b.Heard("c") {
		t.Error("subjects with subscribers are not told from others")
	}
	publish(t, &b, "a", "1")
	publish(t, &b, "a", "2")
	publish(t, &b, "b", "3")
	for name, c := range map[string]<-chan []byte{"first": first, "second": second} {
		if one, two := string(<-c), string(<-c); one != "1" || two != "2" {
			t.Errorf("%s got %s, %s", name, one, two)
		}
	}
	if got := string(<-other); got != "3" {
		t.Errorf("the other subject got %s", got)
	}
}

func TestASubscriptionEndsWithItsContext(t *testing.T) {
	var b Local
	ctx, cancel := context.WithCancel(t.Context())
	messages := subscribe(t, &b, ctx, "a")
	stays := subscribe(t, &b, t.Context(), "a")
	cancel()
	if _, open := <-messages; open {
		t.Error("a message came out of an ended subscription")
	}
	publish(t, &b, "a", "after")
	if got := string(<-stays); got != "after" {
		t.Errorf("the other subscription got %q", got)
	}
}

func TestASubscriberThatDoesNotKeepUpIsClosed(t *testing.T) {
	var b Local
	slow := subscribe(t, &b, t.Context(), "a")
	for i := range depth + 1 {
		publish(t, &b, "a", fmt.Sprint(i))
	}
	got := 0
	for range slow {
		got++
	}
	if got != depth {
		t.Errorf("the slow subscriber got %d messages, want the %d it had room for", got, depth)
	}
	wantNoSubjects(t, &b)
}

func TestPublishingWhileSubscriptionsEnd(t *testing.T) {
	var b Local
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				messages := subscribe(t, &b, ctx, "a")
				publish(t, &b, "a", "x")
				cancel()
				for range messages {
				}
			}
		})
	}
	all.Wait()
	wantNoSubjects(t, &b)
}

func TestLossIsTold(t *testing.T) {
	b := &Local{}
	lost := make(chan struct{}, 2)
	ctx, cancel := context.WithCancel(WithLoss(t.Context(), func() { lost <- struct{}{} }))
	slow, err := b.Subscribe(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	for range depth + 1 {
		b.Publish(t.Context(), "a", nil)
	}
	<-lost
	for range slow {
	}
	if _, err := b.Subscribe(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if len(lost) > 0 {
		t.Error("an end that was asked for is told as a loss")
	}
}
