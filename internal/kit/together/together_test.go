package together

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWorkMeets(t *testing.T) {
	meet := make(chan string)
	var heard string
	err := Do(t.Context(),
		func(context.Context) error { meet <- "hello"; return nil },
		func(context.Context) error { heard = <-meet; return nil })
	if err != nil || heard != "hello" {
		t.Errorf("heard %q, %v", heard, err)
	}
}

func TestAFailureEndsTheOthers(t *testing.T) {
	fault := errors.New("store is away")
	err := Do(t.Context(),
		func(context.Context) error { return fault },
		func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	if !errors.Is(err, fault) {
		t.Errorf("err = %v, want %v", err, fault)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	err := Do(t.Context(),
		func(context.Context) error { panic("not read") },
		func(context.Context) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "not read") {
		t.Errorf("err = %v, want the panic", err)
	}
}

func TestEach(t *testing.T) {
	var running, most, done atomic.Int64
	err := Each(t.Context(), 20, 3, func(_ context.Context, i int) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		runtime.Gosched()
		if done.Add(1); i == 7 {
			panic("not read")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "not read") || done.Load() != 20 || most.Load() > 3 {
		t.Errorf("%d done, %d at once, %v", done.Load(), most.Load(), err)
	}
}

// Pieces of work share a few goroutines instead of growing the stack of one each.
func TestEachReusesGoroutines(t *testing.T) {
	const n, limit = 10_000, 10
	allocations := testing.AllocsPerRun(5, func() {
		if err := Each(t.Context(), n, limit, func(context.Context, int) error { return nil }); err != nil {
			t.Error(err)
		}
	})
	if allocations > n/10 {
		t.Errorf("%d pieces of work take %v allocations", n, allocations)
	}
}

func TestOneWorkRunsHere(t *testing.T) {
	fault := errors.New("store is away")
	if err := Do(t.Context(), func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("err = %v, want %v", err, fault)
	}
}
