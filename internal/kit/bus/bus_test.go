package bus

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

func subscribe(t *testing.T, b *Local, ctx context.Context, subject string) <-chan Message {
	t.Helper()
	messages, err := b.Subscribe(ctx, subject)
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func publish(t *testing.T, b *Local, subject, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), subject, b.Sequence(), []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func text(m Message) string { return string(m.Data) }

// wantNoSubjects checks that nobody subscribes, and that nothing is left when no subscriber
// may resume.
func wantNoSubjects(t *testing.T, b *Local) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, of := range b.subjects {
		if len(of.subscribers) > 0 {
			t.Errorf("subscribers to %q are left behind", name)
		}
	}
	after := time.Now().Add(Keep + time.Minute)
	b.Now = func() time.Time { return after }
	b.prune()
	if len(b.subjects) != 0 || len(b.kept.entries) != 0 || b.kept.bytes != 0 || len(b.kept.unheard) != 0 {
		t.Errorf("left behind: %v, %+v", b.subjects, b.kept)
	}
	b.Now = nil
}

// realtime 3#1,4: every subscriber of a subject gets each message, in order.
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
	for name, c := range map[string]<-chan Message{"first": first, "second": second} {
		if one, two := text(<-c), text(<-c); one != "1" || two != "2" {
			t.Errorf("%s got %s, %s", name, one, two)
		}
	}
	if got := text(<-other); got != "3" {
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
	if got := text(<-stays); got != "after" {
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

// A message reaches those who were there at its sequence number, and everybody if that is unknown.
// realtime 3#3
func TestTheSequenceNumberDecides(t *testing.T) {
	var b Local
	beginning := b.Sequence()
	early := subscribe(t, &b, t.Context(), "a")
	between := b.Sequence()
	subscribe(t, &b, t.Context(), "b")
	late := subscribe(t, &b, t.Context(), "a")
	for _, m := range []struct {
		at   Sequence
		text string
	}{{beginning, "to nobody"}, {between, "to the first"}, {Unknown, "to all"}, {b.Sequence(), "to both"}} {
		if err := b.Publish(t.Context(), "a", m.at, []byte(m.text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		heard <-chan Message
		want  string
	}{
		"the early one": {early, "[{to the first true} {to all false} {to both true}]"},
		"the late one":  {late, "[{to all false} {to both true}]"},
	} {
		var got []struct {
			text  string
			later bool
		}
		for len(c.heard) > 0 {
			m := <-c.heard
			got = append(got, struct {
				text  string
				later bool
			}{text(m), m.Later})
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s heard %v, want %s", name, got, c.want)
		}
	}
	if beginning != Beginning {
		t.Errorf("the first sequence number is %d", beginning)
	}
}

// A subscriber that has missed messages is told so before its channel is closed.
func TestLossIsTold(t *testing.T) {
	for reason, lose := range map[string]func(b *Local){
		TooSlow: func(b *Local) {
			for range depth + 1 {
				publish(t, b, "a", "x")
			}
		},
		Missed: (*Local).LoseAll,
	} {
		b := &Local{}
		lost := ""
		var messages <-chan Message
		ctx, cancel := context.WithCancel(WithLoss(t.Context(), func(reason string) {
			lost = reason
			if len(messages) < cap(messages) {
				select {
				case <-messages:
					t.Error("the channel is closed too early")
				default:
				}
			}
		}))
		messages = subscribe(t, b, ctx, "a")
		lose(b)
		if lost != reason {
			t.Errorf("lost because of %q, want %q", lost, reason)
		}
		for range messages {
		}
		wantNoSubjects(t, b)
		lost = ""
		ended := subscribe(t, b, ctx, "b")
		cancel()
		for range ended {
		}
		b.LoseAll()
		if lost != "" {
			t.Error("an end that was asked for is told as a loss")
		}
	}
}

func TestSubjectsAreLostAlone(t *testing.T) {
	b := &Local{}
	lost, stays := subscribe(t, b, t.Context(), "a"), subscribe(t, b, t.Context(), "b")
	b.Lose("a")
	b.Lose("of nobody")
	for range lost {
	}
	publish(t, b, "b", "x")
	if got := text(<-stays); got != "x" {
		t.Errorf("the other subject heard %q", got)
	}
}
