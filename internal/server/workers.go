package server

import "sync/atomic"

// workers run functions on goroutines that are reused. A new goroutine has a small stack;
// an operation would grow it in several steps, each copying it.
type workers struct {
	next chan func()
	// end ends the idle workers when it is closed.
	end  <-chan struct{}
	idle atomic.Int32
}

// maxIdleWorkers is the number of goroutines kept for later.
const maxIdleWorkers = 64

func newWorkers(end <-chan struct{}) *workers {
	return &workers{next: make(chan func()), end: end}
}

// run calls f on another goroutine.
func (w *workers) run(f func()) {
	select {
	case w.next <- f:
	default:
		go w.work(f)
	}
}

func (w *workers) work(f func()) {
	for f != nil {
		f()
		f = w.wait()
	}
}

// wait returns the next function, or nil if the worker is not needed anymore.
func (w *workers) wait() func() {
	defer w.idle.Add(-1)
	if w.idle.Add(1) > maxIdleWorkers {
		return nil
	}
	select {
	case f := <-w.next:
		return f
	case <-w.end:
		return nil
	}
}
