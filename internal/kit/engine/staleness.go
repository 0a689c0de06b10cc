package engine

import (
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// DynamoDB adds writes to indexes shortly after it acknowledges them. In delayed mode the
// engine does so too: each write is hidden from readers of indexes until its delay has
// passed. Such readers see the store as it was just before the oldest hidden write, so
// there is a snapshot for each of those. This is for tests; it uses memory while there are
// many writes.

// stale holds the snapshots of delayed mode. The zero value delays nothing.
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

// WithDelayedIndexes hides each write from Query and Scan on indexes for delay, measured by
// the engine's clock, so that tests find code that expects to read its own writes.
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

// newIter opens an iterator over what readers of indexes may see; nil if that is
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

// reveal releases the snapshots of writes whose delay has passed. The caller must hold
// s.mu.
func (s *stale) reveal() {
	due := s.now().Add(-s.delay)
	for len(s.hidden) > 0 && !s.hidden[0].at.After(due) {
		s.hidden[0].before.Close()
		s.hidden = s.hidden[1:]
	}
}

// release releases all snapshots.
func (s *stale) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.hidden {
		w.before.Close()
	}
	s.hidden = nil
}
