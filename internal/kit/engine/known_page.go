package engine

import (
	"bytes"
	"encoding/binary"
	"sync"

	"stoa/internal/kit/engine/itemcache"
)

// A cache has one page of each partition of a table or index that was read: the beginning of
// a range, with its items one after another. A write removes the pages of the partitions that
// it changes before it is visible, so a page is always the present state of its range.
//
// Pages that continue others are not kept: they are read less often, and would displace the
// beginning.

// partitionID identifies a partition, except for the rare ones whose hashes are the same.
type partitionID [hashEnd]byte

// touch notes that the partition of the item or entry with this key changes.
func (w *writer) touch(key []byte) { w.touched = append(w.touched, partitionID(key)) }

// touchEntry is touch for the entry of item in x.
func (w *writer) touchEntry(x *index, item image) {
	key, ok := x.appendPartitionOf(w.key[0][:0], item.columns)
	if w.key[0] = key; ok {
		w.touch(key)
	}
}

// A page in the cache is a head, the bounds of its span, and its items, each of which follows
// its length. The head contains the number of items, flags, and the lengths of the bounds.
const (
	countAt, flagsAt = 0, 4

	isBackward, hasMore = 1, 2
)

// maxKnownPage is the maximum size of a page in the cache, in bytes.
const maxKnownPage = 15 << 10

// appendSpan appends the head of a page of s without items or flags, and the bounds of s.
func appendSpan(dst []byte, s span) []byte {
	flags := byte(0)
	if s.backward {
		flags = isBackward
	}
	dst = append(dst, 0, 0, 0, 0, flags)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.lower)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.upper)))
	return append(append(dst, s.lower...), s.upper...)
}

// knownPage is a page from the cache.
type knownPage struct {
	items []byte // a copy
	count int
	more  bool // what walk returns
}

// known returns the first items of s, limit of them unless it is 0, if the cache has them.
func (e *Engine) known(s span, limit int) (p knownPage, ok bool) {
	page, answer, _ := e.pages.Get(nil, s.lower[:hashEnd])
	if answer != itemcache.Found {
		return p, false
	}
	p.count = int(binary.LittleEndian.Uint32(page[countAt:]))
	p.more = page[flagsAt]&hasMore != 0
	clear(page[countAt:flagsAt])
	page[flagsAt] &^= hasMore
	var buf [256]byte
	head := appendSpan(buf[:0], s)
	if !bytes.HasPrefix(page, head) {
		return p, false
	}
	p.items = page[len(head):]
	if 0 < limit && limit <= p.count {
		p.count, p.more = limit, true
		return p, true
	}
	return p, !p.more
}

// all yields the items of p in their stored form.
func (p *knownPage) all(yield func([]byte) bool) {
	rest := p.items
	for range p.count {
		n, size := binary.Uvarint(rest)
		end := size + int(n)
		if !yield(rest[size:end:end]) {
			return
		}
		rest = rest[end:]
	}
}

// learner collects the items that a span begins with for the cache.
type learner struct {
	asOf  uint64 // the items include all writes up to this number
	page  []byte
	count int
	large bool // too large for the cache
}

var learners = sync.Pool{New: func() any { return new(learner) }}

// learn returns a learner for s. It must be called before s is read.
func (e *Engine) learn(s span) *learner {
	l := learners.Get().(*learner)
	*l = learner{asOf: e.sequence.visible(), page: appendSpan(l.page[:0], s)}
	return l
}

// add adds the next item of the span.
func (l *learner) add(item []byte) {
	if l.large = l.large || len(l.page)+len(item) > maxKnownPage; l.large {
		return
	}
	l.page = append(binary.AppendUvarint(l.page, uint64(len(item))), item...)
	l.count++
}

// remember puts what l has learned of s into the cache; more is the result of walk.
func (e *Engine) remember(s span, l *learner, more bool) {
	if l.large {
		return
	}
	binary.LittleEndian.PutUint32(l.page[countAt:], uint32(l.count))
	if more {
		l.page[flagsAt] |= hasMore
	}
	e.pages.Offer(l.asOf, s.lower[:hashEnd], l.page, true)
}
