package engine

import (
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// DynamoDB enters writes into indexes a moment after it acknowledges them. In
// delayed mode so does the engine: each write is hidden from readers of indexes
// until its delay has passed. What such readers see is the store as it was just
// before the oldest write that is still hidden, so for each of those there is a
// snapshot. This is for tests; it costs memory while writes are many.

// stale keeps the snapshots of delayed mode. The zero value delays nothing.
type stale struct {
	delay time.Duration
	now   func() time.Time

	mu     sync.Mutex
	hidden []hiddenWrite // the oldest first
}

type hiddenWrite struct {
	at     time.Time
	before *pebble.Snapshot
}

// WithDelayedIndexes hides each write from Query and Scan on indexes for
// delay, measured by the engine's clock, so that a test catches code which
// expects to find what it has just written.
func WithDelayedIndexes(delay time.Duration) Option {
	return func(o *options) { o.indexDelay = delay }
}

// writing is called before a write is applied.
func (s *stale) writing(db *pebble.DB) {
	if s.delay == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reveal()
	s.hidden = append(s.hidden, hiddenWrite{at: s.now(), before: db.NewSnapshot()})
}

// newIter opens an iterator over what readers of indexes may see, nil when that is
// everything.
func (s *stale) newIter(o *pebble.IterOptions) (*pebble.Iterator, error) {
	if s.delay == 0 {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reveal()
	if len(s.hidden) == 0 {
		return nil, nil
	}
	return s.hidden[0].before.NewIter(o)
}

// reveal forgets the writes whose delay has passed. The caller holds s.mu.
func (s *stale) reveal() {
	due := s.now().Add(-s.delay)
	for len(s.hidden) > 0 && !s.hidden[0].at.After(due) {
		s.hidden[0].before.Close()
		s.hidden = s.hidden[1:]
	}
}

// release gives up all snapshots.
func (s *stale) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.hidden {
		w.before.Close()
	}
	s.hidden = nil
}
