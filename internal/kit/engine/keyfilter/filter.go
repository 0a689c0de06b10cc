// Package keyfilter remembers which keys were ever put into a store, so that most
// questions for keys that are not there need not go to it.
//
// A filter errs on one side only: it may take a key for one that is there, in about one
// of a hundred cases, but never says of a key in the store that it is not. That holds
// while every write calls Add before the store shows it. Deleted keys stay in the filter,
// and are counted, until it is built anew from the keys there are, which goes on beside
// reads and writes. Until it has been built once, a filter knows nothing.
package keyfilter

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// mostGone is how many deleted keys are kept in any case. Beyond that the filter is
// worth building anew when they are more than the others.
const mostGone = 1 << 18

// mostSegments is into how many parts a filter may have grown. Each of them is asked, and
// each of them errs.
const mostSegments = 3

// ErrFull reports that more keys exist than a filter has room for.
var ErrFull = errors.New("keyfilter: too many keys")

// ErrBuilding reports that a filter is being built already.
var ErrBuilding = errors.New("keyfilter: the filter is being built already")

// Filter is safe for concurrent use.
type Filter struct {
	limit int // of a set, in bytes
	due   chan struct{}
	gone  atomic.Int64

	// state is replaced while mu is held. What is in it may be added to by anyone.
	mu    sync.Mutex
	state atomic.Pointer[state]
}

// state is what a filter consists of at a moment.
type state struct {
	now  *set // answers; nil while nothing is known
	next *set // is being built to take its place; nil when none is
	full bool // the filter is off for good
}

// New returns a filter that knows nothing yet. It takes limit bytes at most, and as
// much again while it is built anew; a key takes 12 to 24 bits. When that is not
// enough it gives up for good and takes no memory.
func New(limit int) *Filter {
	f := &Filter{limit: limit, due: make(chan struct{}, 1)}
	f.state.Store(&state{})
	return f
}

// Lacks reports that the store does not have key, as of some moment during the call.
// False says nothing.
func (f *Filter) Lacks(key []byte) bool {
	s := f.state.Load()
	return s.now != nil && !s.now.has(xxhash.Sum64(key))
}

// Add enters a key that is about to be put into the store.
func (f *Filter) Add(key []byte) {
	s := f.state.Load()
	if s.now == nil && s.next == nil {
		return
	}
	hash := xxhash.Sum64(key)
	for _, into := range [...]*set{s.now, s.next} {
		if into == nil {
			continue
		}
		switch grown, ok := into.add(hash); {
		case !ok:
			f.giveUp()
			return
		case grown && into == s.now:
			f.review()
		}
	}
}

// Gone says that n keys were deleted.
func (f *Filter) Gone(n int) {
	if gone := f.gone.Add(int64(n)); gone > mostGone {
		f.review()
	}
}

// Due receives when building the filter anew would make it better.
func (f *Filter) Due() <-chan struct{} { return f.due }

func (f *Filter) review() {
	s := f.state.Load()
	if s.now == nil || s.next != nil {
		return
	}
	gone := f.gone.Load()
	if len(s.now.segments()) <= mostSegments && (gone <= mostGone || gone <= s.now.keys()-gone) {
		return
	}
	select {
	case f.due <- struct{}{}:
	default: // somebody has said so
	}
}

// Complete reports whether the filter answers.
func (f *Filter) Complete() bool { return f.state.Load().now != nil }

// Build makes the filter anew; what it knew before answers meanwhile. keys is about how
// many keys there are. Once settle has returned, every write that began before settle
// was called must be shown by the store or have been given up. Then scan passes all keys
// that the store shows to add, which keeps none; of those that are put or deleted while
// it runs it may pass any. Build fails with ErrFull, with ErrBuilding, and with scan's error.
func (f *Filter) Build(keys int, settle func(), scan func(add func(key []byte)) error) error {
	next := newSet(max(keys, 0), f.limit)
	if next == nil {
		f.giveUp()
		return ErrFull
	}
	gone := f.gone.Load()
	if err := f.begin(next); err != nil {
		return err
	}
	settle() // from now on all writes add to next
	full := false
	err := scan(func(key []byte) {
		if _, ok := next.add(xxhash.Sum64(key)); !ok {
			full = true
		}
	})
	if full {
		f.giveUp()
		return ErrFull
	}
	return f.finish(next, gone, err)
}

func (f *Filter) begin(next *set) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state.Load()
	switch {
	case s.full:
		return ErrFull
	case s.next != nil:
		return ErrBuilding
	}
	f.state.Store(&state{now: s.now, next: next})
	return nil
}

// finish lets next answer unless building it has failed. gone is how many keys were
// deleted before.
func (f *Filter) finish(next *set, gone int64, err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.state.Load()
	switch {
	case s.full:
		return ErrFull
	case err != nil:
		f.state.Store(&state{now: s.now})
		return err
	}
	f.state.Store(&state{now: next})
	f.gone.Add(-gone)
	return nil
}

func (f *Filter) giveUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Store(&state{full: true})
}
