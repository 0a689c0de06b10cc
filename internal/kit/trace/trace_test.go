package trace_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"stoa/internal/kit/trace"
)

func TestCallsAreCountedUnderTheirContext(t *testing.T) {
	ctx, calls := trace.CountCalls(t.Context(), 100)
	other, otherCalls := trace.CountCalls(ctx, 100)
	var work sync.WaitGroup
	for range 10 {
		work.Go(func() {
			inner, cancel := context.WithCancel(ctx)
			defer cancel()
			trace.Begin(inner).End()
		})
	}
	work.Wait()
	trace.Begin(other).End()
	trace.Begin(t.Context()).End()
	if calls.Count() != 10 || otherCalls.Count() != 1 {
		t.Errorf("counted %d and %d, want 10 and 1", calls.Count(), otherCalls.Count())
	}
}

// A request that asks for hundreds of things reads them by and by.
func TestCallsOfARequestTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ctx, _ = trace.CountCalls(ctx, 100)
		var running atomic.Int64
		release := make(chan struct{})
		for range 100 {
			go func() {
				defer trace.Begin(ctx).End()
				running.Add(1)
				<-release
				running.Add(-1)
			}()
		}
		synctest.Wait()
		if n := running.Load(); n != 16 {
			t.Errorf("%d calls run at once, want 16", n)
		}
		other, _ := trace.CountCalls(t.Context(), 100)
		trace.Begin(other).End() // other requests do not wait
		for range 50 {
			release <- struct{}{}
		}
		synctest.Wait()
		if n := running.Load(); n != 16 {
			t.Errorf("%d calls run at once after 50 have ended, want 16", n)
		}
		cancel() // nobody waits for the turn of a request that has ended
		synctest.Wait()
		if n := running.Load(); n != 50 {
			t.Errorf("%d calls of an ended request have gone on, want 50", n)
		}
		close(release)
	})
}

func TestNilCallsHaveNoCount(t *testing.T) {
	var none *trace.Calls
	if none.Count() != 0 {
		t.Error(none.Count())
	}
}

func TestRequestIDs(t *testing.T) {
	a, b := trace.NewRequestID(), trace.NewRequestID()
	if a == b || !trace.ValidRequestID(a) {
		t.Errorf("%q and %q", a, b)
	}
	ctx := trace.WithRequestID(t.Context(), a)
	if trace.RequestID(ctx) != a || trace.RequestID(t.Context()) != "" {
		t.Error("the id does not travel in the context")
	}
	for id, want := range map[string]bool{
		"a": true, "Root=1-67891233-abcdef012345678912345678": true, strings.Repeat("x", 128): true,
		"": false, "two words": false, "line\nbreak": false, `"`: false, "é": false, strings.Repeat("x", 129): false,
	} {
		if got := trace.ValidRequestID(id); got != want {
			t.Errorf("%q: %v", id, got)
		}
	}
}
