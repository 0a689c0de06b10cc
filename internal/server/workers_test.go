package server

import (
	"sync"
	"testing"
	"testing/synctest"
)

func TestWorkersRunEverythingAtOnceAndFewStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		w := newWorkers(end)
		for round := range 2 {
			release := make(chan struct{})
			var running, done sync.WaitGroup
			for range 2 * maxIdleWorkers {
				running.Add(1)
				done.Add(1)
				w.run(func() {
					running.Done()
					<-release
					done.Done()
				})
			}
			running.Wait()
			close(release)
			done.Wait()
			synctest.Wait()
			if idle := w.idle.Load(); idle != maxIdleWorkers {
				t.Errorf("round %d: %d workers are idle, want %d", round, idle, maxIdleWorkers)
			}
		}
		close(end)
		synctest.Wait()
		if idle := w.idle.Load(); idle != 0 {
			t.Errorf("%d workers wait for nothing", idle)
		}
	})
}
