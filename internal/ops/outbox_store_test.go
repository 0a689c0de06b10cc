package ops_test

import (
	"reflect"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

func record(t *testing.T, db *keyspec.DB, records ...outbox.Record) {
	t.Helper()
	tx := db.NewTx()
	ops.Record(tx, records...)
	if err := tx.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestEventsWaitInTheOrderOfTheirTimes(t *testing.T) {
	s, db := open(t)
	var want []outbox.Record
	// Order does not depend on ids, and microseconds count.
	for i, id := range []string{"z", "y", "x"} {
		at := noon.Add(time.Duration(i) * time.Microsecond)
		r := outbox.Record{ID: id, At: at, Since: noon, Name: "thing.happened", Key: "ana", Data: []byte(`{"N":1}`)}
		record(t, db, r)
		want = append(want, r)
	}
	other := outbox.Record{ID: "p", At: noon, Since: noon, Name: "thing.happened", Key: "ben", Data: []byte(`{}`)}
	if want[0].Shard() == other.Shard() {
		t.Fatal("the test needs keys of two shards")
	}
	record(t, db, other)
	pending := func(r outbox.Record, q page.Query) page.Page[outbox.Record] {
		p, err := s.Outbox.Pending(t.Context(), r.Shard(), q)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if got := pending(other, page.Query{First: 10}).Items; !reflect.DeepEqual(got, []outbox.Record{other}) {
		t.Errorf("pending %+v", got)
	}

	first := pending(want[0], page.Query{First: 2})
	if err := s.Outbox.Done(t.Context(), want[0].Shard(), first.Items); err != nil {
		t.Fatal(err)
	}
	rest := pending(want[0], page.Query{First: 2, After: first.Next})
	if got := append(first.Items, rest.Items...); !reflect.DeepEqual(got, want) || rest.Next != "" {
		t.Errorf("pending %+v, want %+v", got, want)
	}
	// Removing twice has no further effect.
	if err := s.Outbox.Done(t.Context(), want[0].Shard(), want); err != nil {
		t.Fatal(err)
	}
	if got := pending(want[0], page.Query{First: 2}); len(got.Items) != 0 {
		t.Errorf("after all are done, pending %+v", got)
	}
}

func TestLanesKeepTheirCursorUntilTheyClose(t *testing.T) {
	s, _ := open(t)
	r := outbox.Record{ID: "1", At: noon, Since: noon, Name: "thing.happened", Key: "ana", Data: []byte(`{}`)}
	l := outbox.Lane{Record: r, Name: "feed", Cursor: "100"}
	check := func(want ...outbox.Lane) {
		t.Helper()
		p, err := s.Outbox.Lanes(t.Context(), r.Shard(), page.Query{First: 10})
		if err != nil || len(p.Items) != len(want) || len(want) > 0 && !reflect.DeepEqual(p.Items, want) {
			t.Errorf("lanes %+v, %v; want %+v", p.Items, err, want)
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(s.Outbox.OpenLane(t.Context(), l))
	check(l)
	ok(s.Outbox.AdvanceLane(t.Context(), l, "200"))
	ok(s.Outbox.OpenLane(t.Context(), l)) // once more after a crash
	l.Cursor = "200"
	check(l)
	ok(s.Outbox.CloseLane(t.Context(), l))
	check()
	ok(s.Outbox.AdvanceLane(t.Context(), l, "300")) // by a process that was late
	ok(s.Outbox.CloseLane(t.Context(), l))
	check()
}
