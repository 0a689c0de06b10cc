package trace_test

import (
	"context"
	"strings"
	"sync"
	"testing"

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
			trace.Called(inner)
		})
	}
	work.Wait()
	trace.Called(other)
	trace.Called(t.Context())
	if calls.Count() != 10 || otherCalls.Count() != 1 {
		t.Errorf("counted %d and %d, want 10 and 1", calls.Count(), otherCalls.Count())
	}
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
