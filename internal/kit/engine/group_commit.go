package engine

import (
	"sync"
	"time"
)

// A sync of the log costs the same for one write as for many, and writes that arrive during
// a sync wait for the next one. Group commit delays a sync until as many writes wait as
// took part in the last one: in a busy process they soon do. Pebble's WALMinSyncInterval
// would delay every sync instead, including those of a single writer (docs/adr/0014).

const (
	// minGroup is the size of the smallest group worth waiting for.
	minGroup = 4
	// The maximum wait for a group is maxWaitSyncs times the duration of the last sync, and
	// at most maxWait.
	maxWaitSyncs = 8
	maxWait      = 2 * time.Millisecond
	// maxStuck is the maximum time that a write waits while something waits for space.
	maxStuck = time.Second
)

// groupCommit lets writes wait until the log is on disk, sharing syncs.
type groupCommit struct {
	sync func() error // syncs everything applied so far
	// stuck returns a channel that is closed while the log may lack space; it is nil if
	// that is not monitored.
	stuck func() <-chan struct{}
	// after returns a channel that receives after a delay, and a function to stop the
	// timer.
	after func(time.Duration) (<-chan time.Time, func())

	mu       sync.Mutex
	next     *commitGroup
	target   int           // the size at which the next group is synced at once
	took     time.Duration // duration of the last sync
	stopped  bool
	begun    chan struct{} // signals that the next group has a member, or stop
	complete chan struct{} // signals that the next group may have reached its target
	ended    chan struct{} // closed when run has returned
}

// commitGroup is a group of writes that share one sync.
type commitGroup struct {
	size int
	done chan struct{}
	err  error
}

func newGroupCommit(sync func() error) *groupCommit {
	return &groupCommit{
		sync: sync, after: timer, next: newCommitGroup(), target: 1,
		begun: make(chan struct{}, 1), complete: make(chan struct{}, 1), ended: make(chan struct{}),
	}
}

func newCommitGroup() *commitGroup { return &commitGroup{done: make(chan struct{})} }

func timer(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// wait waits until everything applied before the call is on disk.
func (c *groupCommit) wait() error {
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return errClosed
	}
	g := c.next
	g.size++
	first, complete := g.size == 1, g.size == c.target
	c.mu.Unlock()
	if first {
		signal(c.begun)
	}
	if complete {
		signal(c.complete)
	}
	if c.stuck == nil {
		<-g.done
		return g.err
	}
	select {
	case <-g.done:
		return g.err
	case <-c.stuck():
		return c.lastChance(g)
	}
}

// lastChance waits for a group whose sync may never end. It allows for the case that
// something other than the log waits for space.
func (c *groupCommit) lastChance(g *commitGroup) error {
	passed, stop := c.after(maxStuck)
	defer stop()
	select {
	case <-g.done:
		return g.err
	case <-passed:
		return errUnsettled
	}
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// run syncs groups until stopped.
func (c *groupCommit) run() {
	defer close(c.ended)
	for range c.begun {
		c.awaitGroup()
		if c.commit() {
			return
		}
	}
}

// stop refuses further waits and returns when the current ones have been served.
func (c *groupCommit) stop() {
	c.mu.Lock()
	c.stopped, c.target = true, 0
	c.mu.Unlock()
	signal(c.complete)
	signal(c.begun)
	<-c.ended
}

// awaitGroup waits until the next group has reached its target or the maximum wait has
// passed.
func (c *groupCommit) awaitGroup() {
	incomplete, most := c.incomplete()
	if !incomplete {
		return
	}
	passed, stop := c.after(most)
	defer stop()
	for incomplete {
		select {
		case <-c.complete: // this group or an earlier one
			incomplete, _ = c.incomplete()
		case <-passed:
			return
		}
	}
}

// incomplete reports whether the next group is below its target, and how long it may wait.
func (c *groupCommit) incomplete() (bool, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next.size < c.target, min(maxWaitSyncs*c.took, maxWait)
}

// commit syncs the next group and reports whether it was the last.
func (c *groupCommit) commit() (last bool) {
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
	if c.target = g.size + c.next.size; c.target < minGroup || c.stopped {
		c.target = 1
	}
	c.mu.Unlock()
	close(g.done)
	return last
}
