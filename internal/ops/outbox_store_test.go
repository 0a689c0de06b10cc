package ops_test

import (
	"errors"
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
	// Order does not depend on ids, and microseconds count. One of the events is traced.
	for i, id := range []string{"z", "y", "x"} {
		at := noon.Add(time.Duration(i) * time.Microsecond)
		r := outbox.Record{ID: id, At: at, Since: noon, Name: "thing.happened", Key: "ana", Data: []byte(`{"N":1}`), Shard: 7}
		if id == "y" {
			r.Trace = "00-0102030405060708090a0b0c0d0e0f10-0102030405060708-01"
		}
		record(t, db, r)
		want = append(want, r)
	}
	other := outbox.Record{ID: "p", At: noon, Since: noon, Name: "thing.happened", Key: "ben", Data: []byte(`{}`), Shard: 8}
	record(t, db, other)
	pending := func(r outbox.Record, q page.Query) page.Page[outbox.Record] {
		p, err := s.Outbox.Pending(t.Context(), r.Shard, q)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if got := pending(other, page.Query{First: 10}).Items; !reflect.DeepEqual(got, []outbox.Record{other}) {
		t.Errorf("pending %+v", got)
	}

	first := pending(want[0], page.Query{First: 2})
	if err := s.Outbox.Done(t.Context(), first.Items); err != nil {
		t.Fatal(err)
	}
	rest := pending(want[0], page.Query{First: 2, After: first.Next})
	if got := append(first.Items, rest.Items...); !reflect.DeepEqual(got, want) || rest.Next != "" {
		t.Errorf("pending %+v, want %+v", got, want)
	}
	// Removing twice has no further effect.
	if err := s.Outbox.Done(t.Context(), want); err != nil {
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
		p, err := s.Outbox.Lanes(t.Context(), r.Shard, page.Query{First: 10})
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
	ok(s.Outbox.OpenLane(t.Context(), "", l))
	check(l)
	ok(s.Outbox.AdvanceLane(t.Context(), "", l, "200"))
	ok(s.Outbox.OpenLane(t.Context(), "", l)) // once more after a crash
	l.Cursor = "200"
	check(l)
	ok(s.Outbox.CloseLane(t.Context(), "", l))
	check()
	ok(s.Outbox.AdvanceLane(t.Context(), "", l, "300")) // by a process that was late
	ok(s.Outbox.CloseLane(t.Context(), "", l))
	check()
}

// What has failed before is known to the next owner of an event or a lane.
func TestFailuresAreStored(t *testing.T) {
	s, db := open(t)
	failures := outbox.Failures{Attempts: 5, First: noon, Last: "broken"}
	event := outbox.Record{ID: "1", At: noon, Since: noon, Name: "thing.happened", Key: "ana", Data: []byte(`{}`), Shard: 7}
	record(t, db, event)
	lane := outbox.Lane{Record: event, Name: "feed", Cursor: "100"}
	gone := outbox.Lane{Record: event, Name: "other"}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(s.Outbox.OpenLane(t.Context(), "", lane))
	event.Failures, lane.Failures, gone.Failures = failures, failures, failures
	ok(s.Outbox.StoreFailures(t.Context(), "", outbox.Lane{Record: event}))
	ok(s.Outbox.StoreFailures(t.Context(), "", lane))
	ok(s.Outbox.StoreFailures(t.Context(), "", gone))
	ok(s.Outbox.AdvanceLane(t.Context(), "", lane, "200"))
	lane.Cursor = "200"
	events, err := s.Outbox.Pending(t.Context(), 7, page.Query{First: 10})
	if err != nil || !reflect.DeepEqual(events.Items, []outbox.Record{event}) {
		t.Errorf("events %+v, %v", events.Items, err)
	}
	lanes, err := s.Outbox.Lanes(t.Context(), 7, page.Query{First: 10})
	if err != nil || !reflect.DeepEqual(lanes.Items, []outbox.Lane{lane}) {
		t.Errorf("lanes %+v, %v", lanes.Items, err)
	}
	// A dead letter that is retried begins anew.
	dead := outbox.DeadLetter{Letter: "1.feed", Lane: lane, At: noon, Attempts: 12, Error: "broken"}
	ok(s.Outbox.Park(t.Context(), "", dead))
	if letter, err := s.Outbox.DeadLetter(t.Context(), "1.feed"); err != nil || letter.Failures != (outbox.Failures{}) {
		t.Errorf("letter %+v, %v", letter, err)
	}
}

// Who has taken over the shards of a process has removed its row, and its writes change
// nothing.
func TestOnlyMembersWrite(t *testing.T) {
	s, db := open(t)
	o := s.Outbox
	one, two := outbox.Member{ID: "one", Holder: "a", Beat: 1}, outbox.Member{ID: "two", Holder: "b", Beat: 1}
	is := func(want bool) func(got bool, err error) {
		return func(got bool, err error) {
			t.Helper()
			if got != want || err != nil {
				t.Errorf("%v, %v; want %v", got, err, want)
			}
		}
	}
	is(false)(o.Beat(t.Context(), one, false))
	is(true)(o.Beat(t.Context(), one, true))
	is(false)(o.Beat(t.Context(), one, true))
	is(true)(o.Beat(t.Context(), two, true))
	is(true)(o.Assign(t.Context(), "one", 0, []string{"one", ""}, nil))
	is(false)(o.Assign(t.Context(), "two", 0, []string{"two", ""}, nil))
	r, err := o.Roster(t.Context())
	if want := (outbox.Roster{Members: []outbox.Member{one, two}, Version: 1, Owners: []string{"one", ""}}); err != nil || !reflect.DeepEqual(r, want) {
		t.Errorf("roster %+v, %v", r, err)
	}
	event := outbox.Record{ID: "1", At: noon, Since: noon, Name: "thing.happened", Key: "ana", Data: []byte(`{}`), Shard: 7}
	record(t, db, event)
	l := outbox.Lane{Record: event, Name: "feed", Cursor: "100"}
	if err := o.OpenLane(t.Context(), "one", l); err != nil {
		t.Fatal(err)
	}

	one.Beat++
	is(true)(o.Beat(t.Context(), one, false))
	stale := one
	stale.Beat--
	is(false)(o.Assign(t.Context(), "two", 1, []string{"two", "two"}, []outbox.Member{stale}))
	is(true)(o.Assign(t.Context(), "two", 1, []string{"two", "two"}, []outbox.Member{one}))
	for name, err := range map[string]error{
		"open":    o.OpenLane(t.Context(), "one", outbox.Lane{Record: event, Name: "other"}),
		"again":   o.OpenLane(t.Context(), "one", l),
		"advance": o.AdvanceLane(t.Context(), "one", l, "200"),
		"close":   o.CloseLane(t.Context(), "one", l),
		"fail":    o.StoreFailures(t.Context(), "one", l),
		"park":    o.Park(t.Context(), "one", outbox.DeadLetter{Lane: l, At: noon}),
	} {
		if !errors.Is(err, outbox.ErrNotOwner) {
			t.Errorf("%s = %v", name, err)
		}
	}
	is(false)(o.Beat(t.Context(), one, false))
	p, err := o.Lanes(t.Context(), 7, page.Query{First: 10})
	if err != nil || !reflect.DeepEqual(p.Items, []outbox.Lane{l}) {
		t.Errorf("lanes %+v, %v", p.Items, err)
	}
	is(true)(o.Assign(t.Context(), "two", 2, []string{"", ""}, []outbox.Member{two}))
}

func TestDeadLettersAreRetriedOrDropped(t *testing.T) {
	s, db := open(t)
	o := s.Outbox
	event := outbox.Record{ID: "1", At: noon, Since: noon.Add(-time.Hour), Name: "thing.happened", Key: "ana", Data: []byte(`{}`), Shard: 9}
	record(t, db, event)
	lane := outbox.Lane{Record: event, Name: "feed", Cursor: "100"}
	if err := o.OpenLane(t.Context(), "", lane); err != nil {
		t.Fatal(err)
	}
	letters := []outbox.DeadLetter{
		{Letter: "1", Lane: outbox.Lane{Record: event}, At: noon, Attempts: 12, Error: "broken"},
		{Letter: "1.feed", Lane: lane, At: noon, Attempts: 13, Error: "broken too"},
	}
	for i, l := range letters {
		if err := o.Park(t.Context(), "", l); err != nil {
			t.Fatal(err)
		}
		letters[i].Shard = 0 // it is in none
	}
	if n, err := ops.Waiting(t.Context(), db); n != 0 || err != nil {
		t.Errorf("%d events wait, %v", n, err)
	}
	all, err := o.DeadLetters(t.Context(), page.Query{First: 10})
	if err != nil || !reflect.DeepEqual(all.Items, letters) {
		t.Errorf("dead letters %+v, %v", all.Items, err)
	}
	for _, l := range letters {
		got, err := o.DeadLetter(t.Context(), l.Letter)
		if err != nil || !reflect.DeepEqual(*got, l) {
			t.Errorf("letter %+v, %v", got, err)
		}
		for _, want := range []bool{true, false} {
			if there, err := o.Retry(t.Context(), l); there != want || err != nil {
				t.Errorf("Retry = %v, %v", there, err)
			}
		}
	}
	if n, err := ops.Waiting(t.Context(), db); n != 2 || err != nil {
		t.Errorf("%d events wait, %v", n, err)
	}
	if err := o.Park(t.Context(), "", letters[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if there, err := o.Drop(t.Context(), "1"); there != want || err != nil {
			t.Errorf("Drop = %v, %v", there, err)
		}
	}
}
