package ops_test

import (
	"testing"
	"time"

	"stoa/internal/kit/lease"
)

func TestLeasesAreSwappedOnce(t *testing.T) {
	s, _ := open(t)
	end := noon.Add(time.Minute)
	free := lease.Record{}
	a := lease.Record{Holder: "a", Term: 1, Expires: end}
	renewed := lease.Record{Holder: "a", Term: 1, Expires: end.Add(time.Minute)}
	released := lease.Record{Term: 1}
	b := lease.Record{Holder: "b", Term: 2, Expires: end}
	for i, step := range []struct {
		prev, next lease.Record
		ok         bool
	}{
		{a, b, false}, // there is none yet
		{free, a, true},
		{free, b, false},
		{released, b, false},
		{a, renewed, true},
		{a, b, false}, // has been renewed
		{renewed, released, true},
		{renewed, renewed, false},
		{free, b, false}, // a released lease still exists: its term continues
		{released, b, true},
	} {
		before, err := s.Leases.Load(t.Context(), "job")
		if err != nil {
			t.Fatal(err)
		}
		ok, err := s.Leases.Swap(t.Context(), "job", step.prev, step.next)
		if ok != step.ok || err != nil {
			t.Errorf("step %d: %v, %v", i, ok, err)
		}
		want := before
		if step.ok {
			want = step.next
		}
		if got, err := s.Leases.Load(t.Context(), "job"); got != want || err != nil {
			t.Errorf("step %d: stored %+v, %v; want %+v", i, got, err, want)
		}
	}
	if other, err := s.Leases.Load(t.Context(), "other"); other != free || err != nil {
		t.Errorf("another lease is %+v, %v", other, err)
	}
}
