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
	q := heir.lanes[(Record{Key: "ana"}).Shard()]
	if err := q.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.want(t, 600) // the process may still be alive
	w.pass(grace)
	if err := q.look(t.Context()); err != nil {
		t.Fatal(err)
	}
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

// A slow event shares no queue or lock with other events.
func TestSlowEventsKeepToThemselves(t *testing.T) {
	w := newWorld()
	d := w.dispatcher("p")
	On(d, func(context.Context, drawn, Tell) error { return nil })
	On(d, func(context.Context, moved, Tell) error { return nil })
	shards, locks := map[int]bool{}, map[keyLock]bool{}
	const many = 300
	for i := range many {
		r := NewRecord(t.Context(), drawn{moved{Who: fmt.Sprint("ana", i)}}, "id", w.Now())
		shards[r.Shard()], locks[d.key(r.Key)] = true, true
	}
	for i := range many {
		r := NewRecord(t.Context(), moved{Who: fmt.Sprint("ana", i)}, "id", w.Now())
		if shards[r.Shard()] || locks[d.key(r.Key)] {
			t.Fatalf("event %d is behind slow ones", i)
		}
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
