// Package keyfilter implements a filter of the keys in a store, which answers most lookups
// of missing keys without reading the store.
//
// About one in a hundred lookups is a false positive; there are no false negatives,
// provided that every write calls Add before the store shows it. Deleted keys remain in the
// filter, and are counted, until it is rebuilt from the existing keys, concurrently with
// reads and writes. Before the first build, every lookup is positive.
package keyfilter

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// mostGone is the number of deleted keys that is always tolerated. Above it, the filter
// should be rebuilt once deleted keys outnumber the others.
const mostGone = 1 << 18

// mostSegments is the maximum number of segments of a filter that need not be rebuilt. Each
// lookup checks all of them, and each adds false positives.
const mostSegments = 3

// ErrFull means that there are more keys than fit into a filter.
var ErrFull = errors.New("keyfilter: too many keys")

// ErrBuilding means that a filter is already being built.
var ErrBuilding = errors.New("keyfilter: the filter is being built already")

// Filter is safe for concurrent use.
type Filter struct {
	limit int // of a set, in bytes
	due   chan struct{}
	gone  atomic.Int64

	// state is replaced with mu held. Its content may be added to concurrently.
	mu    sync.Mutex
	state atomic.Pointer[state]
}

// state is the current content of a filter.
type state struct {
	now  *set // the current set; nil before the first build
	next *set // the set being built; nil if none
	full bool // the filter is permanently disabled
}

// New returns an empty filter of at most limit bytes, and twice that while it is rebuilt; a
// key takes 12 to 24 bits. If the limit is exceeded, it is disabled permanently and takes
// no memory.
func New(limit int) *Filter {
	f := &Filter{limit: limit, due: make(chan struct{}, 1)}
	f.state.Store(&state{})
	return f
}

// Lacks reports whether the store is known to have lacked key at some time during the call.
// If it returns false, the key may exist or not.
func (f *Filter) Lacks(key []byte) bool {
	s := f.state.Load()
	return s.now != nil && !s.now.has(xxhash.Sum64(key))
}

// Add adds a key that is about to be stored.
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

// Gone records that n keys have been deleted.
func (f *Filter) Gone(n int) {
	if gone := f.gone.Add(int64(n)); gone > mostGone {
		f.review()
	}
}

// Due returns a channel that receives a value when rebuilding would improve the filter.
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
	default: // already signalled
	}
}

// Complete reports whether the filter has been built.
func (f *Filter) Complete() bool { return f.state.Load().now != nil }

// Build rebuilds the filter; the previous state is used meanwhile. keys is the approximate
// number of keys. Once settle has returned, every write that began before the call must be
// shown by the store or have been abandoned. Then scan must pass all keys shown by the
// store to add, which does not retain them; keys that are put or deleted meanwhile are
// optional. Build fails with ErrFull, with ErrBuilding, and with scan's error.
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

// finish activates next unless building it has failed. gone is the number of keys deleted
// before.
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
