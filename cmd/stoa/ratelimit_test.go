package main

import (
	"context"
	"testing"
	"time"

	"stoa/social"
)

func TestRateLimit(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	limit := newRateLimit(2, func() time.Time { return now })
	ana, ben := social.Viewer{UserID: "ana"}, social.Viewer{UserID: "ben"}
	admit := func(v social.Viewer) time.Duration { return limit.admit(context.Background(), v) }
	for range 2 * burstSeconds {
		if wait := admit(ana); wait != 0 {
			t.Fatalf("an operation within the burst waits %s", wait)
		}
	}
	for range 2 {
		if wait := admit(ana); wait != 500*time.Millisecond {
			t.Errorf("an operation too many waits %s, want 500ms however often it is tried", wait)
		}
	}
	if wait := admit(ben); wait != 0 {
		t.Errorf("another viewer waits %s", wait)
	}
	now = now.Add(500 * time.Millisecond)
	if wait := admit(ana); wait != 0 {
		t.Errorf("half a second later the viewer still waits %s", wait)
	}
}
