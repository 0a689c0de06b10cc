package engine

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// slowLog is a log whose syncs take the configured time.
type slowLog struct {
	takes time.Duration
	fails error
	syncs atomic.Int32
}

func (d *slowLog) sync() error {
	d.syncs.Add(1)
	time.Sleep(d.takes)
	return d.fails
}

// waitFrom calls wait in the background after a delay and records its duration.
func waitFrom(c *groupCommit, all *sync.WaitGroup, delay time.Duration, took *time.Duration) {
	all.Go(func() {
		time.Sleep(delay)
		begun := time.Now()
		c.wait()
		*took = time.Since(begun)
	})
}

func TestOneSyncServesAllWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slowLog{takes: 100 * time.Microsecond}
		c := newGroupCommit(d.sync)
		go c.run()
		var took [9]time.Duration
		var all sync.WaitGroup
		waitFrom(c, &all, 0, &took[0])
		for i := range took[1:] {
			waitFrom(c, &all, 50*time.Microsecond, &took[1+i])
		}
		all.Wait()
		if got := d.syncs.Load(); got != 2 {
			t.Errorf("%d syncs for the first and all others", got)
		}
		// The others arrive during half of the first sync, and then wait for the first
		// writer to return.
		if want := 50*time.Microsecond + maxWaitSyncs*d.takes + d.takes; took[0] != d.takes || took[1] != want || took[8] != want {
			t.Errorf("they waited %v", took)
		}
		c.stop()
	})
}

// After a sync for many writes, the next sync waits until as many have arrived.
func TestSyncsWaitForTheirGroup(t *testing.T) {
	for _, c := range []struct {
		name string
		last int             // size of the last group
		come []time.Duration // when others come after the first
		want time.Duration   // that the first waits
	}{
		{"a lone writer before", 1, []time.Duration{50}, 100},
		{"all come again", 5, []time.Duration{10, 20, 30, 400}, 500},
		{"all come at once", 5, []time.Duration{0, 0, 0, 0}, 100},
		{"more come than last time", 5, []time.Duration{10, 20, 30, 40, 50, 60}, 140},
		{"nobody else comes", 5, nil, 900},
		{"some come too late", 5, []time.Duration{10, 20, 30, 801}, 900},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &slowLog{takes: 100 * time.Microsecond}
				groups := newGroupCommit(d.sync)
				groups.target, groups.took = c.last, d.takes
				go groups.run()
				defer groups.stop()
				var all sync.WaitGroup
				took := make([]time.Duration, 1+len(c.come))
				waitFrom(groups, &all, 0, &took[0])
				for i, delay := range c.come {
					waitFrom(groups, &all, delay*time.Microsecond, &took[1+i])
				}
				all.Wait()
				if took[0] != c.want*time.Microsecond {
					t.Errorf("the first waited %v, want %v", took[0], c.want*time.Microsecond)
				}
			})
		})
	}
}

func TestWaitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slowLog{takes: 10 * time.Millisecond}
		c := newGroupCommit(d.sync)
		c.target, c.took = 9, d.takes
		go c.run()
		defer c.stop()
		var all sync.WaitGroup
		var took time.Duration
		waitFrom(c, &all, 0, &took)
		all.Wait()
		if took != maxWait+d.takes {
			t.Errorf("waited %v", took)
		}
	})
}

func TestFailedSyncIsReturned(t *testing.T) {
	d := &slowLog{fails: errors.New("the disk is gone")}
	c := newGroupCommit(d.sync)
	go c.run()
	if err := c.wait(); err != d.fails {
		t.Error(err)
	}
	d.fails = nil
	if err := c.wait(); err != nil {
		t.Error(err)
	}
	c.stop()
	if err := c.wait(); err != errClosed {
		t.Error(err)
	}
}

// Writes that are waiting at shutdown are synced, even in an incomplete group.
func TestStopServesWaitingWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slowLog{takes: 100 * time.Microsecond}
		c := newGroupCommit(d.sync)
		c.target, c.took = 9, d.takes
		go c.run()
		var all sync.WaitGroup
		var took time.Duration
		waitFrom(c, &all, 0, &took)
		synctest.Wait()
		c.stop()
		all.Wait()
		if took != d.takes || d.syncs.Load() < 1 {
			t.Errorf("waited %v", took)
		}
	})
}

// Writers that write repeatedly share their syncs.
func TestBusyWritersStayTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const writers, rounds = 16, 20
		d := &slowLog{takes: 100 * time.Microsecond}
		c := newGroupCommit(d.sync)
		go c.run()
		defer c.stop()
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for range rounds {
					time.Sleep(time.Duration(20*w) * time.Microsecond)
					c.wait()
				}
			})
		}
		all.Wait()
		const toFindEachOther = 4
		if got := d.syncs.Load(); got < rounds || got > rounds+toFindEachOther {
			t.Errorf("%d syncs for %d times %d writes", got, rounds, writers)
		}
	})
}
