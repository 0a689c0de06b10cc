package engine

import (
	"sync"
	"sync/atomic"
	"time"
)

// An index that projects all holds a copy of each item in it. When only a counter of
// the item changes, its copies would be written again and again although nobody reads
// most of them. Such a write leaves them behind: it marks the item, and who reads an
// index takes a marked item from its table. In the background the copies are brought
// up to date, many changes at once.
//
// Keys of entries are never behind, so an index has exactly the entries it should.

// behind knows the marked items. An item is known by its relation and its encoded key,
// which both its place and the keys of its entries hold, see appendMark. The zero value
// is for use.
type behind struct {
	limit int // items at most, 0 leaves no copy behind
	now   func() time.Time

	count atomic.Int64 // of marks, to find out without a lock that there are none

	mu    sync.RWMutex
	marks map[string]mark
	bytes int // what the keys of marks take
	// A reader may see the store as it was when the reader began, so a mark stays until
	// all readers have ended who began before the copies were brought up to date. epoch
	// counts how often that was done; readers says how many began in which epoch.
	epoch   int
	readers map[int]int
	fading  []string

	step sync.Mutex    // held by who brings copies up to date
	full chan struct{} // tells that the marks take most of their room
}

// mark says that the copies of an item may be behind.
type mark struct {
	place []byte
	since time.Time
	// fading says that they are up to date, and the stored mark is gone.
	fading bool
}

const (
	// maxBehind and maxBehindBytes bound the marks. A mark takes about markSize bytes
	// beside its key.
	maxBehind      = 32 << 10
	maxBehindBytes = 8 << 20
	markSize       = 160
)

func (b *behind) open(limit int, now func() time.Time) {
	b.limit, b.now = limit, now
	b.marks, b.readers, b.full = map[string]mark{}, map[int]int{}, make(chan struct{}, 1)
}

// appendMark appends what an item is known by: the number of its relation and its key
// without the hash. Both are parts of the place.
func appendMark(dst, place []byte) []byte {
	dst = append(dst, place[1:relationEnd]...)
	return append(dst, place[hashEnd:]...)
}

// admits reports whether the copies of an item may be left behind, and whether the
// item has to be marked for it. The caller holds the item's stripe.
func (b *behind) admits(key []byte) (yes, anew bool) {
	if b.limit == 0 {
		return false, false
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	m, known := b.marks[string(key)]
	switch {
	case known:
		return true, m.fading
	case len(b.marks) >= b.limit || b.bytes >= maxBehindBytes:
		return false, false
	}
	return true, true
}

// add marks the item at place, before the store shows that its copies are behind. The
// caller holds the item's stripe.
func (b *behind) add(place []byte) {
	key := string(appendMark(nil, place))
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.marks[key]; !known {
		b.bytes += 2*len(key) + markSize
		b.count.Add(1)
	}
	b.marks[key] = mark{place: append([]byte(nil), place...), since: b.now()}
	if len(b.marks) > b.limit*7/8 || b.bytes > maxBehindBytes*7/8 {
		select {
		case b.full <- struct{}{}:
		default:
		}
	}
}

// has reports whether an item is marked.
func (b *behind) has(key []byte) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	_, marked := b.marks[string(key)]
	return marked
}

// begin tells of a reader of an index, before it looks at the store. What it returns is
// for end.
func (b *behind) begin() (epoch int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.readers[b.epoch]++
	return b.epoch
}

func (b *behind) end(epoch int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.readers[epoch]--; b.readers[epoch] == 0 {
		delete(b.readers, epoch)
	}
}

// pick returns the places of n marked items at most, of those marked before a time, or
// of all when it is zero.
func (b *behind) pick(n int, before time.Time) [][]byte {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var places [][]byte
	for _, m := range b.marks {
		if len(places) == n {
			break
		}
		if !m.fading && (before.IsZero() || m.since.Before(before)) {
			places = append(places, m.place)
		}
	}
	return places
}

// fade is told that the store shows the copies of the items at places as they should
// be, and has no marks of them. The caller holds the items' stripes.
func (b *behind) fade(places [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, place := range places {
		key := string(appendMark(nil, place))
		b.marks[key] = mark{place: place, fading: true}
		b.fading = append(b.fading, key)
	}
	b.epoch++
}

// settle removes the marks that fade, unless somebody still reads who began before they
// did. It reports whether none is left.
func (b *behind) settle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for epoch := range b.readers {
		if epoch < b.epoch {
			return len(b.fading) == 0
		}
	}
	for _, key := range b.fading {
		if m := b.marks[key]; m.fading { // not marked again meanwhile
			delete(b.marks, key)
			b.bytes -= 2*len(key) + markSize
			b.count.Add(-1)
		}
	}
	b.fading = nil
	return true
}
