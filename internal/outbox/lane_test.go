package outbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
)

// spreading is a fan-out to the given number of rows, in chunks of a hundred. It records
// the rows it wrote.
type spreading struct {
	rows    int
	written []int
	// fail holds the errors of chunks by cursor; each is returned once.
	fail map[string]error
}

func (s *spreading) receive(_ context.Context, e moved, cursor string, tell Tell) (string, int, error) {
	if err := s.fail[cursor]; err != nil {
		delete(s.fail, cursor)
		return "", 0, err
	}
	from, _ := strconv.Atoi(cursor)
	to := min(from+100, s.rows)
	for i := from; i < to; i++ {
		s.written = append(s.written, i)
		tell(note{e.Who, fmt.Sprint("row", i)})
	}
	if to == s.rows {
		return "", to - from, nil
	}
	return strconv.Itoa(to), to - from, nil
}

func (s *spreading) want(t *testing.T, n int) {
	t.Helper()
	if len(s.written) != n || !slices.IsSorted(s.written) {
		t.Errorf("%d rows written, want %d, each once and in order", len(s.written), n)
	}
}

// service E1: effects on a few rows are done when the mutation answers.
func TestASmallFanOutEndsBeforeTheAnswer(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: inlineRows}
	d := w.dispatcher("p")
	FanOut(d, "rows", s.receive)
	d.Committed(t.Context(), w.commit("ana", "1")...)
	s.want(t, inlineRows)
	if len(w.cursors) != 0 {
		t.Errorf("a lane was stored: %v", w.cursors)
	}
}

// service E2: effects on many rows continue after the answer, in order.
func TestALargeFanOutGoesOnInItsLane(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: 1050}
	var others []string
	d := w.dispatcher("p")
	FanOut(d, "rows", s.receive)
	d.Committed(t.Context(), w.commit("ana", "1")...)
	s.want(t, 600)
	equal(t, "stored cursors", w.cursors, "600")
	// The event itself has been delivered, and another one of the same shard is not
	// delayed.
	On(d, noting(&others))
	d.receivers["moved"] = d.receivers["moved"][1:]
	d.Committed(t.Context(), w.commit("ana", "2")...)
	equal(t, "the other event", others, "2")
	s.want(t, 600)

	d.receivers["moved"] = append(d.receivers["moved"], &receiver{lane: "rows", receive: func(ctx context.Context, _ Record, cursor string, tell Tell) (string, int, error) {
		return s.receive(ctx, moved{Who: "ana"}, cursor, tell)
	}})
	drain(t, d)
	s.want(t, 1050)
	equal(t, "stored cursors", w.cursors, "600", "700", "800", "900", "1000")
	if w.openLanes() != 0 {
		t.Error("the lane is left")
	}
}

func TestAnotherProcessGoesOnAtTheCursor(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: 900}
	dead := w.dispatcher("a")
	FanOut(dead, "rows", s.receive)
	dead.Committed(t.Context(), w.commit("ana", "1")...)
	s.want(t, 600)
	heir := w.dispatcher("b")
	FanOut(heir, "rows", s.receive)
	drain(t, heir)
	s.want(t, 900)
}

func TestAFailedChunkIsRepeatedInTheLane(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: 300, fail: map[string]error{"100": errors.New("broken")}}
	d := w.dispatcher("p")
	FanOut(d, "rows", s.receive)
	d.Committed(t.Context(), w.commit("ana", "1")...)
	s.want(t, 100)
	s.fail["100"] = errors.New("still broken")
	if err := d.Drain(t.Context()); err == nil {
		t.Error("the failure is not told")
	}
	drain(t, d)
	s.want(t, 300)
	equal(t, "waiting", w.waiting())
}

func TestAFanOutThatFailsAtOnceLeavesItsEvent(t *testing.T) {
	w := newWorld()
	s := &spreading{rows: 300, fail: map[string]error{"": errors.New("broken")}}
	d := w.dispatcher("p")
	FanOut(d, "rows", s.receive)
	d.Committed(t.Context(), w.commit("ana", "1")...)
	equal(t, "waiting", w.waiting(), "1")
	drain(t, d)
	s.want(t, 300)
}

// drawn is an event whose receiver takes seconds.
type drawn struct{ moved }

func (drawn) Slow() {}

// Few slow events are processed at a time, and others do not wait for them.
func TestSlowEventsKeepToThemselves(t *testing.T) {
	turns := newTurns()
	for i := range 50 {
		turns.add(&job{track: fmt.Sprint("slow", i), slow: true})
	}
	for i := range 50 {
		turns.add(&job{track: fmt.Sprint(i)})
	}
	slow, others := 0, 0
	for j := turns.next(); j != nil; j = turns.next() {
		if j.slow {
			slow++
		} else {
			others++
		}
	}
	if slow != slowWorkers || others != 50 {
		t.Errorf("%d slow events are processed with %d others", slow, others)
	}
}

// Of fan-outs that wait, the one that has had the fewest steps is next: a small one is done
// before a large one that began earlier.
func TestSmallFanOutsGoFirst(t *testing.T) {
	w := newWorld()
	var order []string
	d := w.dispatcher("p")
	FanOut(d, "rows", func(_ context.Context, e moved, cursor string, _ Tell) (string, int, error) {
		if cursor == "" {
			return "0", Later, nil
		}
		order = append(order, e.What)
		n, _ := strconv.Atoi(cursor)
		if e.What == "small" && n == 1 || n == 50 {
			return "", 100, nil
		}
		return strconv.Itoa(n + 1), 100, nil
	})
	d.Committed(t.Context(), w.commit("ana", "large")...)
	for range 10 {
		d.turns.step(t.Context(), d.turns.next())
	}
	d.Committed(t.Context(), w.commit("ben", "small")...)
	drain(t, d)
	if last := slices.Index(order, "small"); last != 10 || order[11] != "small" {
		t.Errorf("steps in the order %v", order)
	}
}

// A fan-out never overtakes an unfinished earlier one with the same name and key.
func TestLanesOfOneKeyKeepTheirOrder(t *testing.T) {
	w := newWorld()
	var order []string
	d := w.dispatcher("p")
	FanOut(d, "rows", func(_ context.Context, e moved, cursor string, _ Tell) (string, int, error) {
		n, _ := strconv.Atoi(cursor)
		order = append(order, fmt.Sprint(e.What, n))
		if e.What == "b" || n == 7 {
			return "", 100, nil
		}
		return strconv.Itoa(n + 1), 100, nil
	})
	d.Committed(t.Context(), w.commit("ana", "a")...)
	d.Committed(t.Context(), w.commit("ana", "b")...)
	d.Committed(t.Context(), w.commit("ben", "b2")...)
	drain(t, d)
	at := func(text string) int { return slices.Index(order, text) }
	if at("b0") < at("a7") || at("a7") < 0 {
		t.Errorf("chunks in the order %v", order)
	}
}
