package ratelimit

import (
	"fmt"
	"testing"
	"time"
)

func TestTake(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := New(func() time.Time { return now })
	limit := Limit{Burst: 4, Every: 500 * time.Millisecond}
	for range limit.Burst {
		if wait := l.Take("ana", limit); wait != 0 {
			t.Fatalf("a call within the burst waits %s", wait)
		}
	}
	for range 2 {
		if wait := l.Take("ana", limit); wait != 500*time.Millisecond {
			t.Errorf("a call too many waits %s, want 500ms however often it is tried", wait)
		}
	}
	if wait := l.Take("ben", limit); wait != 0 {
		t.Errorf("another key waits %s", wait)
	}
	now = now.Add(500 * time.Millisecond)
	if wait := l.Take("ana", limit); wait != 0 {
		t.Errorf("half a second later a call still waits %s", wait)
	}
	l.Forget("ana")
	for range limit.Burst {
		if wait := l.Take("ana", limit); wait != 0 {
			t.Errorf("a forgotten key waits %s", wait)
		}
	}
}

// A call that turns out to be worth several is allowed, and the next one waits for it.
func TestSpend(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := New(func() time.Time { return now })
	limit := Limit{Burst: 4, Every: time.Second}
	l.Spend("ana", limit, 3)
	if wait := l.Take("ana", limit); wait != 0 {
		t.Errorf("the fourth call waits %s", wait)
	}
	l.Spend("ana", limit, 2)
	if wait := l.Take("ana", limit); wait != 3*time.Second {
		t.Errorf("a call waits %s after two too many, want 3s", wait)
	}
	l.Spend("ben", limit, 1_000)
	if wait := l.Take("ben", limit); wait != time.Second {
		t.Errorf("a call waits %s after the most expensive one, want 1s", wait)
	}
	l.Spend("ana", Limit{}, 1_000)
}

// What does not count is given back, and never makes more than the burst.
func TestReturn(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := New(func() time.Time { return now })
	limit := Limit{Burst: 2, Every: time.Second}
	for range 5 {
		if wait := l.Take("ana", limit); wait != 0 {
			t.Fatalf("a call that is given back waits %s", wait)
		}
		l.Return("ana", limit)
	}
	l.Return("ana", limit)
	now = now.Add(time.Minute)
	for _, want := range []time.Duration{0, 0, time.Second} {
		if wait := l.Take("ana", limit); wait != want {
			t.Errorf("a call waits %s, want %s", wait, want)
		}
	}
	l.Return("ana", Limit{})
}

func TestTheZeroLimitAllowsEverything(t *testing.T) {
	l := New(time.Now)
	for range 1000 {
		if wait := l.Take("ana", Limit{}); wait != 0 {
			t.Fatalf("waits %s", wait)
		}
	}
}

func TestKeysAreForgotten(t *testing.T) {
	now := time.Now()
	l := New(func() time.Time { return now })
	limit := Limit{Burst: 1, Every: time.Hour}
	for i := range remembered + 1 {
		if wait := l.Take(fmt.Sprint(i), limit); wait != 0 {
			t.Fatalf("key %d waits %s", i, wait)
		}
	}
	if n := l.buckets.Len(); n != remembered {
		t.Errorf("%d keys are remembered", n)
	}
}

func TestSeconds(t *testing.T) {
	for wait, want := range map[time.Duration]int{time.Millisecond: 1, time.Second: 1, 1001 * time.Millisecond: 2} {
		if got := Seconds(wait); got != want {
			t.Errorf("%s is %d s", wait, got)
		}
	}
}

// A limit that changes, as by a reload of settings, is in force for the next call.
func TestAnotherLimit(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := New(func() time.Time { return now })
	wide, narrow := Limit{Burst: 5, Every: time.Second}, Limit{Burst: 1, Every: time.Minute}
	if wait := l.Take("ana", wide); wait != 0 {
		t.Errorf("the first call waits %s", wait)
	}
	if wait := l.Take("ana", narrow); wait != 0 {
		t.Errorf("the first call within the new limit waits %s", wait)
	}
	if wait := l.Take("ana", narrow); wait != time.Minute {
		t.Errorf("beyond the new limit, a call waits %s", wait)
	}
	if wait := l.Take("ana", wide); wait != 0 {
		t.Errorf("within the old limit again, a call waits %s", wait)
	}
}
