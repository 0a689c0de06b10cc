// Package tasks runs background work that the end of a program waits for.
//
// Unlike a sync.WaitGroup, a Group may be given work while others wait for it: a server that
// is closed may still receive requests.
package tasks

import "sync"

// Group is a set of running functions. The zero value is empty. It is safe for concurrent
// use.
type Group struct {
	mu      sync.Mutex
	running int
	// idle is closed when no function is running; it is nil unless somebody waits.
	idle chan struct{}
}

// Go runs f on its own goroutine.
func (g *Group) Go(f func()) {
	g.mu.Lock()
	g.running++
	g.mu.Unlock()
	go func() {
		defer g.done()
		f()
	}()
}

func (g *Group) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running--; g.running == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Wait returns when no function is running, or none was at some time during the call.
func (g *Group) Wait() {
	g.mu.Lock()
	if g.running == 0 {
		g.mu.Unlock()
		return
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.mu.Unlock()
	<-idle
}
