package gather_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/gather"
)

// echo is a carrier that notes its batches and takes its time.
type echo struct {
	mu      sync.Mutex
	batches []int
	running int
	takes   time.Duration
}

func (e *echo) carry(_ context.Context, key string, in []int) []string {
	e.mu.Lock()
	e.batches = append(e.batches, len(in))
	e.running++
	if e.running > 1 {
		panic("two batches of a key at a time")
	}
	e.mu.Unlock()
	time.Sleep(e.takes)
	e.mu.Lock()
	e.running--
	e.mu.Unlock()
	out := make([]string, len(in))
	for i, n := range in {
		out[i] = fmt.Sprint(key, n)
	}
	return out
}

// Each call gets its own result, batches are as large as they may be, and one runs at a time.
func TestCallsAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &echo{takes: 50 * time.Millisecond}
		c := gather.New(gather.Limits{From: 1, Pause: 10 * time.Millisecond, Most: 4}, e.carry)
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				if out, err := c.Do(t.Context(), "k", i); err != nil || out != fmt.Sprint("k", i) {
					t.Errorf("call %d: %s, %v", i, out, err)
				}
			})
		}
		all.Wait()
		if !slices.Equal(e.batches, []int{4, 4, 2}) {
			t.Errorf("batches of %v", e.batches)
		}
	})
}

// A call whose request is canceled does not fail the others.
func TestCanceledCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &echo{takes: time.Second}
		c := gather.New(gather.Limits{From: 1, Pause: time.Millisecond, Most: 8}, e.carry)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _, _ = c.Do(ctx, "k", 1) })
		synctest.Wait()
		all.Go(func() {
			if out, err := c.Do(t.Context(), "k", 2); err != nil || out != "k2" {
				t.Errorf("%s, %v", out, err)
			}
		})
		all.Go(func() {
			if _, err := c.Do(ctx, "k", 3); !errors.Is(err, context.Canceled) {
				t.Errorf("a canceled call: %v", err)
			}
		})
		synctest.Wait()
		cancel()
		all.Wait()
	})
}

// A panic is the error of all calls of its batch, and of no later one.
func TestPanicsAreErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := gather.New(gather.Limits{From: 1, Most: 8}, func(_ context.Context, key string, in []int) []int {
			if key == "bad" && in[0] == 1 {
				panic("ouch")
			}
			return in
		})
		if _, err := c.Do(t.Context(), "bad", 1); err == nil || !strings.Contains(err.Error(), "ouch") {
			t.Errorf("err = %v", err)
		}
		if n, err := c.Do(t.Context(), "bad", 2); n != 2 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	})
}

// A key is hot while it is called often, and for a second after it.
func TestHot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := gather.New(gather.Limits{From: 3, Most: 8}, func(_ context.Context, _ string, in []int) []int { return in })
		calls := func(n int, every time.Duration) (hot string) {
			for range n {
				if time.Sleep(every); c.Hot("k") {
					hot += "h"
				} else {
					hot += "c"
				}
			}
			return hot
		}
		for _, step := range []struct {
			calls int
			every time.Duration
			want  string
		}{
			{4, 600 * time.Millisecond, "cccc"},
			{1, 3 * time.Second, "c"},
			{6, 100 * time.Millisecond, "chhhhh"},
			{1, 900 * time.Millisecond, "h"},
			{2, 3 * time.Second, "cc"},
		} {
			if got := calls(step.calls, step.every); got != step.want {
				t.Errorf("%d calls every %v: %s, want %s", step.calls, step.every, got, step.want)
			}
		}
	})
	var none *gather.Calls[string, int, int]
	if none.Hot("k") {
		t.Error("nothing is hot")
	}
}
