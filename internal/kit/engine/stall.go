package engine

import (
	"fmt"
	"sync"
	"time"
)

// stallGrace is how long writes may be stalled before the database counts as unhealthy. A
// busy one stalls them for a moment now and then, until a memtable has been flushed.
const stallGrace = time.Second

// stalls records when writes wait because flushing or merging has fallen behind.
type stalls struct {
	now func() time.Time

	mu      sync.Mutex
	n       int64
	total   time.Duration // of those that are over
	stalled bool
	since   time.Time
	reason  string
}

func (s *stalls) begin(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	s.stalled, s.since, s.reason = true, s.now(), reason
}

func (s *stalls) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stalled {
		s.total += s.now().Sub(s.since)
	}
	s.stalled = false
}

// health returns an error while writes are stalled for long.
func (s *stalls) health() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stalled {
		return nil
	}
	lasts := s.now().Sub(s.since)
	if lasts < stallGrace {
		return nil
	}
	return fmt.Errorf("engine: writes have been stalled for %v: %s", lasts.Round(time.Second), s.reason)
}

// Stalls returns how often writes have been stalled, and for how long altogether.
func (e *Engine) Stalls() (n int64, total time.Duration) {
	s := e.stalls
	s.mu.Lock()
	defer s.mu.Unlock()
	n, total = s.n, s.total
	if s.stalled {
		total += s.now().Sub(s.since)
	}
	return n, total
}
