package outbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
)

// resumed is a subscription of ana's whose transport takes cursors.
type resumed struct {
	events <-chan *note
	trail  *bus.Trail
	end    func()
}

// resumes listens since a cursor, if there is one. Show returns the texts of a message's events.
func (w *world) resumes(t *testing.T, b Bus, since *string, show func(n *note) []string) *resumed {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ctx, trail := bus.WithTrail(ctx, since)
	events, err := FollowEach(ctx, b, "ana", w.Now(), func(context.Context) error { return nil },
		func(_ context.Context, n *note, send func(*note) bool) (bool, error) {
			for _, text := range show(n) {
				if !send(&note{n.To, text}) {
					return true, nil
				}
			}
			return false, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return &resumed{events, trail, func() { cancel(); drainAll(events) }}
}

func drainAll(events <-chan *note) {
	for range events {
	}
}

// next returns the next event and its cursor.
func (r *resumed) next(t *testing.T) (text, cursor string) {
	t.Helper()
	n, open := <-r.events
	if !open {
		t.Fatal("the subscription has ended")
	}
	return n.Text, r.trail.Take()
}

func once(n *note) []string { return []string{n.Text} }

func say(t *testing.T, w *world, b Bus, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := Publish(t.Context(), b, w.Now(), note{"ana", text}); err != nil {
			t.Fatal(err)
		}
	}
}

// realtime 14: what is no cursor is a gap, also if only the number of events to skip is impossible.
func TestACursorThatIsNoneIsAGap(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	w.resumes(t, b, nil, once)
	for _, skip := range []string{"zzzzzzzzzzzz", "mh34", "-1", "", "!"} { // mh34 is 1<<20
		since := b.ID() + ".0." + skip + ".1.0"
		r := w.resumes(t, b, &since, once)
		if _, gap := r.trail.Gap(); !gap {
			t.Errorf("%q resumes", since)
		}
		r.end()
	}
}

// realtime 14#3: every event has a cursor, and a subscription that starts there receives what follows.
func TestEachEventIsAPlaceToResume(t *testing.T) {
	for name, show := range map[string]func(n *note) []string{
		"one event of each message": once,
		"some of each": func(n *note) []string {
			return []string{n.Text + "a", n.Text + "b", n.Text + "c"}[:len(n.Text)%4]
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, b := newWorld(), &bus.Local{}
			first := w.resumes(t, b, nil, show)
			say(t, w, b, "1", "22", "4444", "333", "1")
			want := []string{}
			for _, text := range []string{"1", "22", "4444", "333", "1"} {
				want = append(want, show(&note{Text: text})...)
			}
			var cursors []string
			for _, expected := range want {
				text, cursor := first.next(t)
				if text != expected {
					t.Fatalf("heard %s, want %s", text, expected)
				}
				cursors = append(cursors, cursor)
			}
			first.end()
			for i, cursor := range cursors {
				again := w.resumes(t, b, &cursor, show)
				if _, gap := again.trail.Gap(); gap {
					t.Fatalf("a gap after event %d", i)
				}
				for j, expected := range want[i+1:] {
					if text, cursor := again.next(t); text != expected || cursor != cursors[i+1+j] {
						t.Errorf("after event %d: heard %s at %s, want %s at %s", i, text, cursor, expected, cursors[i+1+j])
					}
				}
				again.end()
			}
		})
	}
}

// realtime 14#5: the gate is asked when a message is delivered, so what is hidden now is not shown because it was
// to be seen when it was published.
func TestResumedEventsAreShownAsTheyAreSeenNow(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	hidden := map[string]bool{}
	show := func(n *note) []string {
		if hidden[n.Text] {
			return nil
		}
		return []string{n.Text}
	}
	first := w.resumes(t, b, nil, show)
	say(t, w, b, "1", "2", "3")
	_, cursor := first.next(t)
	first.end()
	hidden["2"] = true
	again := w.resumes(t, b, &cursor, show)
	if text, _ := again.next(t); text != "3" {
		t.Errorf("heard %s", text)
	}
	again.end()
	refused := refusal.Forbiddenf("no member")
	ctx, _ := bus.WithTrail(t.Context(), &cursor)
	if _, err := Follow(ctx, b, "ana", w.Now(), func(context.Context) error { return refused }, func(_ context.Context, n *note) (*note, bool, error) {
		t.Error("a message is shown to who is not admitted")
		return n, false, nil
	}); err != refused {
		t.Errorf("refused with %v", err)
	}
}

// A subscription that resumes has begun when the first one did: what was committed in between
// is for it, whenever it is published, and what was committed before is not.
func TestAResumedSubscriptionHasBegunEarlier(t *testing.T) {
	w, b := newWorld(), &bus.Local{}
	d, s := w.telling(b)
	w.pass(time.Hour)
	before := s.New(t.Context(), moved{"ana", "before"})
	d.Tell(t.Context())
	w.commit("ana", "old, of another process")
	w.pass(2 * tolerance)
	first := w.resumes(t, b, nil, once)
	say(t, w, b, "1")
	_, cursor := first.next(t)
	w.pass(time.Minute)
	w.commit("ana", "of another process")
	first.end()
	w.pass(time.Minute)
	again := w.resumes(t, b, &cursor, once)
	drain(t, d)
	d.Committed(t.Context(), before...)
	say(t, w, b, "end")
	var heard []string
	for text := ""; text != "end"; heard = append(heard, text) {
		text, cursor = again.next(t)
	}
	slices.Sort(heard)
	equal(t, "heard", heard, "before", "end", "of another process")
}

// realtime 14#4: what is no cursor, or one of a process that is gone, is told as a gap, with the cursor where
// the subscription starts.
func TestUnknownCursorsAreGaps(t *testing.T) {
	for _, since := range []string{
		"", "x", "....", "A.1.1.1.1", "A.1.1.1", "A.B.C.D.E", "a.1.0.1.1", "A*.1.0.1.1", "A.-1.0.1.1", "A.1.zzzzzz.1.1", strings.Repeat("A", 200),
		"A.1.0.1." + strings.Repeat("z", 30), "\x00.1.0.1.1", cursor{bus.Place{Process: "OTHER", Number: 1, Began: 1}, 0, time.Unix(1, 0)}.String(),
	} {
		w, b := newWorld(), &bus.Local{}
		say(t, w, b, "old")
		r := w.resumes(t, b, &since, once)
		at, gap := r.trail.Gap()
		if !gap || at == "" {
			t.Errorf("since %q: gap %t at %q", since, gap, at)
		}
		say(t, w, b, "1")
		if text, _ := r.next(t); text != "1" {
			t.Errorf("since %q: heard %s", since, text)
		}
		r.end()
		again := w.resumes(t, b, &at, once)
		if _, gap := again.trail.Gap(); gap {
			t.Errorf("since %q: a gap at the cursor of the gap", since)
		}
		if text, _ := again.next(t); text != "1" {
			t.Errorf("since %q, from the gap: heard %s", since, text)
		}
		again.end()
	}
}

func TestCursors(t *testing.T) {
	for _, want := range []cursor{
		{bus.Place{Process: "A"}, 0, time.UnixMilli(0)},
		{bus.Place{Process: "ABCDEFGHIJKLM", Number: 1 << 63, Began: 1 << 40}, 12, time.UnixMilli(1_800_000_000_123)},
	} {
		got, ok := parseCursor(want.String())
		if !ok || got != want {
			t.Errorf("%s: %v, %t", want, got, ok)
		}
	}
}

func FuzzCursor(f *testing.F) {
	for _, text := range []string{"", "A.1.0.1.1", "....", fmt.Sprint(cursor{bus.Place{Process: "Z2", Number: 7}, 3, time.UnixMilli(5)})} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := parseCursor(text)
		if !ok {
			return
		}
		if again, ok := parseCursor(c.String()); !ok || again != c {
			t.Errorf("%q is %v, then %v", text, c, again)
		}
	})
}
