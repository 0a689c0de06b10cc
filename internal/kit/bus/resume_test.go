package bus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// clocked is a bus with a clock that tests turn.
type clocked struct {
	*Local
	now time.Time
}

func newClocked() *clocked {
	c := &clocked{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	c.Local = &Local{Now: func() time.Time { return c.now }}
	return c
}

// leaver is a subscriber who may leave.
type leaver struct {
	messages <-chan Message
	leave    func()
	place    Place
}

func (c *clocked) join(t *testing.T, subject string) *leaver {
	ctx, cancel := context.WithCancel(t.Context())
	return &leaver{messages: subscribe(t, c.Local, ctx, subject), leave: cancel}
}

// next returns the next message and notes the place after it.
func (l *leaver) next(t *testing.T) string {
	t.Helper()
	m, open := <-l.messages
	if !open {
		t.Fatal("the subscription has ended")
	}
	l.place = m.Place
	return text(m)
}

// end leaves, and returns when the bus has noticed.
func (l *leaver) end() {
	l.leave()
	for range l.messages {
	}
}

// resume returns the messages so far of a subscription that resumes.
func (c *clocked) resume(t *testing.T, subject string, from Place) (texts string, continuous bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s, err := c.Resume(ctx, subject, from)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	var all []string
	for m := range s.Messages {
		all = append(all, text(m))
	}
	return strings.Join(all, " "), s.Continuous
}

// Whoever comes back receives what has been published meanwhile, once and in order, from any
// place.
func TestASubscriptionIsResumed(t *testing.T) {
	c := newClocked()
	l := c.join(t, "a")
	other := c.join(t, "b")
	publish(t, c.Local, "a", "1")
	publish(t, c.Local, "b", "x")
	publish(t, c.Local, "a", "2")
	l.next(t)
	first := l.place
	l.next(t)
	l.end()
	other.end()
	if !c.Heard("a") {
		t.Error("a subject is not heard although a subscriber may come back")
	}
	publish(t, c.Local, "a", "3")
	c.now = c.now.Add(Keep)
	publish(t, c.Local, "b", "y")
	publish(t, c.Local, "a", "4")
	for place, want := range map[Place]string{first: "2 3 4", l.place: "3 4"} {
		if got, ok := c.resume(t, "a", place); got != want || !ok {
			t.Errorf("from %v: %s, %t", place, got, ok)
		}
	}
	s, err := c.Resume(t.Context(), "a", first)
	if err != nil || s.Place != first {
		t.Fatal(s.Place, err)
	}
	var last Place
	for range 3 {
		last = (<-s.Messages).Place
	}
	publish(t, c.Local, "a", "5")
	if got, ok := c.resume(t, "a", last); got != "5" || !ok {
		t.Errorf("after another break: %s, %t", got, ok)
	}
	if got := text(<-s.Messages); got != "5" {
		t.Errorf("heard %s", got)
	}
}

// What cannot be proven is told as a gap, and the subscription starts anew.
func TestAGapIsTold(t *testing.T) {
	for name, test := range map[string]func(c *clocked, place Place) Place{
		"another process": func(_ *clocked, p Place) Place { p.Process = "OTHER"; return p },
		"no place":        func(*clocked, Place) Place { return Place{} },
		"a later place":   func(_ *clocked, p Place) Place { p.Number += 100; return p },
		"a later subscription": func(_ *clocked, p Place) Place {
			p.Began += 100
			return p
		},
		"too late": func(c *clocked, p Place) Place {
			c.now = c.now.Add(Keep + time.Second)
			return p
		},
		"a message that was kept too long ago": func(c *clocked, p Place) Place {
			stays := c.join(t, "a")
			publish(t, c.Local, "a", "old")
			c.now = c.now.Add(Keep + time.Second)
			publish(t, c.Local, "b", "x")
			stays.end()
			return p
		},
		"messages missed": func(c *clocked, p Place) Place { c.Lose("a"); return p },
		"all missed":      func(c *clocked, p Place) Place { c.LoseAll(); return p },
		"too many bytes": func(c *clocked, p Place) Place {
			for range maxKeptBytes>>20 + 1 {
				publish(t, c.Local, "a", strings.Repeat("x", 1<<20))
			}
			return p
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClocked()
			l := c.join(t, "a")
			publish(t, c.Local, "a", "1")
			l.next(t)
			l.end()
			s, err := c.Resume(t.Context(), "a", test(c, l.place))
			if err != nil || s.Continuous {
				t.Fatalf("continuous: %t, %v", s.Continuous, err)
			}
			publish(t, c.Local, "a", "next")
			if m := <-s.Messages; text(m) != "next" || !m.Later {
				t.Errorf("heard %q", text(m))
			}
			if got, ok := c.resume(t, "a", s.Place); got != "next" || !ok {
				t.Errorf("from where it started: %q, %t", got, ok)
			}
		})
	}
}

// Nothing reaches a subscriber after what it has missed: otherwise it would resume there.
func TestNothingFollowsAMissedMessage(t *testing.T) {
	var b Local
	slow := subscribe(t, &b, t.Context(), "a")
	var place Place
	for i := range depth + 10 {
		publish(t, &b, "a", fmt.Sprint(i))
		if i == depth+5 {
			place = (<-slow).Place
		}
	}
	for m := range slow {
		place = m.Place
	}
	c := &clocked{Local: &b}
	if got, ok := c.resume(t, "a", place); got != "64 65 66 67 68 69 70 71 72 73" || !ok {
		t.Errorf("missed %s, %t", got, ok)
	}
}

// A resumed subscription receives what is published late about something that happened after
// the first one began, and nothing else.
func TestAResumedSubscriptionKeepsItsPlaceInTheOrderOfSubscriptions(t *testing.T) {
	c := newClocked()
	before := c.Sequence()
	l := c.join(t, "a")
	publish(t, c.Local, "a", "1")
	l.next(t)
	between := c.Sequence()
	l.end()
	s, err := c.Resume(t.Context(), "a", l.place)
	if err != nil || !s.Continuous {
		t.Fatal(s.Continuous, err)
	}
	c.Deliver("a", before, []byte("before"))
	c.Deliver("a", between, []byte("between"))
	if m := <-s.Messages; text(m) != "between" || !m.Later {
		t.Errorf("heard %s, %t", text(m), m.Later)
	}
	if got, ok := c.resume(t, "a", l.place); got != "between" || !ok {
		t.Errorf("heard %s, %t", got, ok)
	}
}

// The memory of departures is bounded: the oldest are forgotten first.
func TestManySubjectsAreLeft(t *testing.T) {
	c := newClocked()
	var dropped []string
	c.Dropped = func(subject string) { dropped = append(dropped, subject) }
	for i := range maxUnheard + 3 {
		c.join(t, fmt.Sprint(i)).end()
	}
	c.Prune()
	if got := fmt.Sprint(dropped); got != "[0 1 2]" || len(c.subjects) != maxUnheard {
		t.Errorf("dropped %s, kept %d", got, len(c.subjects))
	}
}
