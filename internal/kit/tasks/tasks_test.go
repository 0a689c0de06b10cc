package tasks_test

import (
	"sync"
	"testing"

	"stoa/internal/kit/tasks"
)

func TestWaitAwaitsAll(t *testing.T) {
	var g tasks.Group
	g.Wait()
	gate := make(chan struct{})
	var done [3]bool
	for i := range done {
		g.Go(func() { <-gate; done[i] = true })
	}
	close(gate)
	g.Wait()
	if done != [3]bool{true, true, true} {
		t.Errorf("done: %v", done)
	}
}

// A sync.WaitGroup panics when it is used like this.
func TestWorkMayArriveWhileOthersWait(t *testing.T) {
	var g tasks.Group
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 20_000 {
				g.Go(func() {})
				g.Wait()
			}
		})
	}
	all.Wait()
	g.Wait()
}
