package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

// gather returns a loader whose batches wait for the returned function instead of a clock,
// and records the keys of each call.
func gather(fetch Fetch[int, string]) (l *Loader[int, string], release func(), calls func() [][]int) {
	var mu sync.Mutex
	var made [][]int
	var due []func()
	l = New(context.Background(), 0, func(ctx context.Context, keys []int) (map[int]string, error) {
		mu.Lock()
		made = append(made, slices.Sorted(slices.Values(keys)))
		mu.Unlock()
		return fetch(ctx, keys)
	})
	l.after = func(f func()) { due = append(due, f) }
	return l, func() {
			l.mu.Lock()
			now := due
			due = nil
			l.mu.Unlock()
			for _, f := range now {
				f()
			}
		}, func() [][]int {
			mu.Lock()
			defer mu.Unlock()
			return made
		}
}

func evens(_ context.Context, keys []int) (map[int]string, error) {
	found := map[int]string{}
	for _, k := range keys {
		if k%2 == 0 {
			found[k] = "even"
		}
	}
	return found, nil
}

// ask loads keys concurrently and returns once all have joined a batch.
func ask(l *Loader[int, string], keys ...int) (wait func() map[int]bool) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := map[int]bool{}
	for _, k := range keys {
		wg.Go(func() {
			_, found, _ := l.Load(context.Background(), k)
			mu.Lock()
			got[k] = found
			mu.Unlock()
		})
	}
	for joined := false; !joined; {
		l.mu.Lock()
		joined = true
		for _, k := range keys {
			joined = joined && l.known[k] != nil
		}
		l.mu.Unlock()
	}
	return func() map[int]bool { wg.Wait(); return got }
}

func TestLookUpsAtTheSameTimeShareACall(t *testing.T) {
	l, release, calls := gather(evens)
	answers := ask(l, 1, 2, 3)
	release()
	if got := answers(); got[1] || !got[2] || got[3] {
		t.Errorf("found = %v, want only 2", got)
	}
	if want := [][]int{{1, 2, 3}}; len(calls()) != 1 || !slices.Equal(calls()[0], want[0]) {
		t.Errorf("calls = %v, want %v", calls(), want)
	}
}

func TestAnswersAreRemembered(t *testing.T) {
	l, release, calls := gather(evens)
	answers := ask(l, 2)
	release()
	answers()
	if _, found, _ := l.Load(context.Background(), 2); !found || len(calls()) != 1 {
		t.Errorf("second look-up: found %v after %d calls, want true after 1", found, len(calls()))
	}
}

func TestAFullBatchDoesNotWait(t *testing.T) {
	l, _, calls := gather(evens)
	keys := make([]int, most)
	for i := range keys {
		keys[i] = i
	}
	ask(l, keys...)()
	if len(calls()) != 1 || len(calls()[0]) != most {
		t.Errorf("calls = %d, want one of %d keys", len(calls()), most)
	}
}

func TestAnErrorReachesEverybody(t *testing.T) {
	fault := errors.New("store is away")
	l, release, _ := gather(func(context.Context, []int) (map[int]string, error) { return nil, fault })
	result := make(chan error, 1)
	go func() { _, _, err := l.Load(context.Background(), 1); result <- err }()
	ask(l, 1)
	release()
	if err := <-result; !errors.Is(err, fault) {
		t.Errorf("err = %v, want %v", err, fault)
	}
}

func TestOneWhoGivesUpLeavesTheOthersWaiting(t *testing.T) {
	l, release, _ := gather(evens)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	answers := ask(l, 2)
	if _, _, err := l.Load(ctx, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want canceled", err)
	}
	release()
	if got := answers(); !got[2] {
		t.Error("the patient look-up got nothing")
	}
}

func TestAPanicBecomesAnError(t *testing.T) {
	l, release, _ := gather(func(context.Context, []int) (map[int]string, error) { panic("boom") })
	ask(l, 1)
	release()
	if _, _, err := l.Load(context.Background(), 1); err == nil {
		t.Error("a panic of the fetch went unnoticed")
	}
}
