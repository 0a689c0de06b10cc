package engine

import (
	"sync"
	"time"
)

// A sync of the log costs the same for one write as for many, and while one is under
// way those who want the next one wait. So it pays to let a sync wait for company: for
// as many writes as were about at the last one, which in a busy process come again soon.

const (
	// fewWrites are synced at once: company would be rare.
	fewWrites = 4
	// patience is how long a sync waits for company, in times that a sync takes, and
	// maxPatience bounds it.
	patience    = 8
	maxPatience = 2 * time.Millisecond
)

// commitGroups lets writes wait for the log to be on disk, many for one sync.
type commitGroups struct {
	sync func() error // puts everything that was applied before on disk
	// pause returns a channel that is told when a time has passed, and what gives it up.
	pause func(time.Duration) (passed <-chan time.Time, stop func())

	mu       sync.Mutex
	next     *commitGroup
	company  int           // with so many the next sync begins
	took     time.Duration // the last sync
	stopped  bool
	begun    chan struct{} // tells that somebody is in the next group, or that it is stopped
	complete chan struct{} // tells that the next group may have its company
	ended    chan struct{} // closed when run has returned
}

// commitGroup is writes that one sync is for.
type commitGroup struct {
	size int
	done chan struct{}
	err  error
}

func newCommitGroups(sync func() error) *commitGroups {
	return &commitGroups{
		sync: sync, pause: pauseByTimer, next: newCommitGroup(), company: 1,
		begun: make(chan struct{}, 1), complete: make(chan struct{}, 1), ended: make(chan struct{}),
	}
}

func newCommitGroup() *commitGroup { return &commitGroup{done: make(chan struct{})} }

func pauseByTimer(d time.Duration) (<-chan time.Time, func()) {
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

// wait returns when everything that was applied before is on disk.
func (c *commitGroups) wait() error {
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return errClosed
	}
	g := c.next
	g.size++
	first, complete := g.size == 1, g.size == c.company
	c.mu.Unlock()
	if first {
		signal(c.begun)
	}
	if complete {
		signal(c.complete)
	}
	<-g.done
	return g.err
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// run syncs one group after another until stopped.
func (c *commitGroups) run() {
	defer close(c.ended)
	for range c.begun {
		c.awaitCompany()
		if c.commit() {
			return
		}
	}
}

// stop refuses who waits from now on, and returns when nobody waits any more.
func (c *commitGroups) stop() {
	c.mu.Lock()
	c.stopped, c.company = true, 0
	c.mu.Unlock()
	signal(c.complete)
	signal(c.begun)
	<-c.ended
}

// awaitCompany returns when the next group is as large as it should be, or has waited
// long enough.
func (c *commitGroups) awaitCompany() {
	missing, most := c.missing()
	if !missing {
		return
	}
	passed, stop := c.pause(most)
	defer stop()
	for missing {
		select {
		case <-c.complete: // of this group, or of one before
			missing, _ = c.missing()
		case <-passed:
			return
		}
	}
}

// missing reports whether the next group lacks company, and how long it waits for it.
func (c *commitGroups) missing() (bool, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next.size < c.company, min(patience*c.took, maxPatience)
}

// commit syncs the next group and reports whether it was the last.
func (c *commitGroups) commit() (last bool) {
	c.mu.Lock()
	g := c.next
	c.next = newCommitGroup()
	last = c.stopped
	c.mu.Unlock()
	began := time.Now()
	g.err = c.sync()
	took := time.Since(began)
	c.mu.Lock()
	c.took = took
	if c.company = g.size + c.next.size; c.company < fewWrites || c.stopped {
		c.company = 1
	}
	c.mu.Unlock()
	close(g.done)
	return last
}
