package engine

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// maxPage is the number of bytes that a Query or Scan reads per page.
const maxPage = 1 << 20

// span is a range of a relation and the direction to read it in.
type span struct {
	lower, upper []byte // stored keys from lower (inclusive) to upper (exclusive)
	backward     bool
}

// startAfter narrows s to what follows the stored key in its direction.
func (s *span) startAfter(key []byte) {
	if s.backward {
		s.upper = key
		return
	}
	s.lower = append(key[:len(key):len(key)], 0) // the smallest larger key
}

// walk reads s, which is in r, and calls visit with each item. It stops at the end of s,
// after limit items unless limit is 0, or when it has read a page of bytes. In the last two
// cases, it passes true to the last call of visit and returns true, even if no items
// follow. All items are from one snapshot; a view is valid until its visit returns. With
// keep, items that entries refer to are kept in the cache of items.
func (e *Engine) walk(
	r *relation, names *itemcodec.Dictionary, s span, limit int, keep bool, visit func(v itemcodec.View, last bool) error,
) (more bool, err error) {
	if err := e.use(); err != nil {
		return false, err
	}
	defer e.endUse()
	asOf := e.sequence.visible()
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: s.lower, UpperBound: s.upper})
	if err != nil {
		return false, fmt.Errorf("engine: read: %w", err)
	}
	defer it.Close()
	items := referred{engine: e, index: r, asOf: asOf, keep: keep}
	defer items.close()
	valid, next := it.First, it.Next
	if s.backward {
		valid, next = it.Last, it.Prev
	}
	size, count := 0, 0
	for ok := valid(); ok && !more; ok = next() {
		data, err := it.ValueAndErr()
		if err != nil {
			return false, fmt.Errorf("engine: read: %w", err)
		}
		if r.refers(data) {
			if data, err = items.read(it); err != nil {
				return false, err
			}
		}
		v, err := itemcodec.Open(names, data)
		if err != nil {
			return false, err
		}
		size += v.Size()
		count++
		more = count == limit || size >= maxPage
		if err := visit(v, more); err != nil {
			return false, err
		}
	}
	if err := it.Error(); err != nil {
		return false, fmt.Errorf("engine: read: %w", err)
	}
	return more, nil
}

// whole returns the span of everything in r.
func (r *relation) whole() span {
	return span{lower: r.prefix, upper: keycodec.After(r.prefix)}
}

// segment returns the span of one of total segments of r.
func (r *relation) segment(n, total int) span {
	from, to := keycodec.Segment(n, total)
	s := r.whole()
	s.lower = keycodec.AppendHash(r.prefix[:len(r.prefix):len(r.prefix)], uint32(from))
	if to < 1<<32 {
		s.upper = keycodec.AppendHash(r.prefix[:len(r.prefix):len(r.prefix)], uint32(to))
	}
	return s
}

// lastKey returns the key attributes of an item of r, for starting the next page.
func (r *relation) lastKey(v itemcodec.View) Item {
	key := make(Item, 4)
	for _, name := range r.keyNames() {
		key[name] = v.Attribute(name)
	}
	return key
}
