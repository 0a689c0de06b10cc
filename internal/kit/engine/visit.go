package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
)

// The readers in this file serve callers inside the process that know their
// tables: keys come as plain text and items are shown where they lie, without
// the SDK's maps in between. They read what GetItem, BatchGetItem and Query
// read. Filters, projections and capacity are left to those.

// Key is the key of an item. A value is the text of an S, the canonical decimal
// of an N, or the bytes of a B, as the table declares. Sort is ignored by tables
// without sort key.
type Key struct{ Hash, Sort string }

// typicalPlace is what the stored form of a key mostly takes, in bytes.
const typicalPlace = 144

// VisitItems calls visit for each key in order, with the item or with a view
// that does not exist. Each item is up
// to date, together they are not one moment. A view is valid until visit
// returns; an error of visit ends the reading and is returned.
func (e *Engine) VisitItems(ctx context.Context, table string, keys []Key, visit func(i int, item itemcodec.View) error) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	t, err := e.table(&table)
	if err != nil {
		return err
	}
	r := visitRooms.Get().(*visitRoom)
	defer r.release()
	r.bytes = slices.Grow(r.bytes, typicalPlace*len(keys))
	for _, k := range keys {
		at := len(r.bytes)
		if r.bytes, err = t.appendPosition(r.bytes, k); err != nil {
			return err
		}
		r.places = append(r.places, r.bytes[at:])
	}
	if err := e.latest(&r.read, r.places...); err != nil {
		return err
	}
	for i := range keys {
		if err := r.read.visit(e, t, i, func(v itemcodec.View) error { return visit(i, v) }); err != nil {
			return err
		}
	}
	return nil
}

// visitRoom is what a call of VisitItems needs, kept for the next.
type visitRoom struct {
	places [][]byte
	bytes  []byte // of the places
	read   readings
}

var visitRooms = sync.Pool{New: func() any { return new(visitRoom) }}

func (r *visitRoom) release() {
	if cap(r.bytes)+cap(r.read.room) > maxRoom {
		return
	}
	clear(r.places)
	r.places, r.bytes = r.places[:0], r.bytes[:0]
	visitRooms.Put(r)
}

// Range is a part of one partition of a table or index.
type Range struct {
	Table string
	Index string // empty for the table itself
	Hash  string // the partition, a value as in Key

	// Prefix keeps to sort values that begin with it, for S and B.
	Prefix string
	// Low and High bound the sort values, both included. Nil is no bound; with a
	// Prefix they must be nil.
	Low, High *string

	// After is the position of the item the range begins behind, in its
	// direction.
	After    *Position
	Backward bool
	// Limit is how many items are visited at most; 0 is no limit. A page of 1 MB
	// ends the reading in any case.
	Limit int
}

// Position is a place within a partition: the sort value and, in an index, the
// key that the item has in its table.
type Position struct {
	Sort  string
	Owner Key
}

// VisitRange calls visit with the items of r in order of their sort values. It
// reports whether it stopped at the limit or the end of a page, so that more may
// follow. The items are those of one moment. A view is valid until visit
// returns; an error of visit ends the reading and is returned.
func (e *Engine) VisitRange(ctx context.Context, r Range, visit func(itemcodec.View) error) (more bool, err error) {
	if err := e.usable(ctx); err != nil {
		return false, err
	}
	t, err := e.table(&r.Table)
	if err != nil {
		return false, err
	}
	rel := &t.relation
	if r.Index != "" {
		x, err := e.readable(t, r.Index)
		if err != nil {
			return false, err
		}
		rel = &x.relation
	}
	s, err := rel.rangeSpan(r)
	if err != nil {
		return false, err
	}
	more, err = e.walk(rel, t.names, s, r.Limit, func(v itemcodec.View, _ bool) error { return visit(v) })
	if errors.Is(err, itemcodec.ErrCorrupt) {
		err = e.damaged(t.Name, err)
	}
	return more, err
}

// rangeSpan returns where the items of g are stored.
func (r *relation) rangeSpan(g Range) (span, error) {
	partition, err := r.appendHash(make([]byte, 0, 128), g.Hash)
	if err != nil {
		return span{}, err
	}
	at := func(sort string) ([]byte, error) {
		return appendText(partition[:len(partition):len(partition)], r.key.Sort.Type, sort)
	}
	s := span{lower: partition, upper: keycodec.After(partition), backward: g.Backward}
	switch {
	case g.Prefix != "":
		s.lower = keycodec.AppendPrefix(partition[:len(partition):len(partition)], g.Prefix)
		s.upper = keycodec.After(s.lower)
	default:
		if g.Low != nil {
			if s.lower, err = at(*g.Low); err != nil {
				return s, err
			}
		}
		if g.High != nil {
			high, err := at(*g.High)
			if err != nil {
				return s, err
			}
			s.upper = keycodec.After(high)
		}
	}
	if g.After == nil {
		return s, nil
	}
	place, err := r.appendPlace(partition[:len(partition):len(partition)], *g.After)
	if err != nil {
		return s, err
	}
	if s.holds(place) {
		s.startAfter(place)
		return s, nil
	}
	return s, fmt.Errorf("engine: the position to continue after lies outside the range")
}

// appendPosition appends where the item of a table with key k is stored.
func (t *table) appendPosition(dst []byte, k Key) ([]byte, error) {
	dst, err := t.appendHash(dst, k.Hash)
	if err != nil || !t.key.HasSort() {
		return dst, err
	}
	return appendText(dst, t.key.Sort.Type, k.Sort)
}

// appendHash appends what the stored keys of a partition begin with.
func (r *relation) appendHash(dst []byte, hash string) ([]byte, error) {
	dst = append(dst, r.prefix...)
	at := len(dst)
	dst, err := appendText(keycodec.ReserveHash(dst), r.key.Hash.Type, hash)
	if err == nil {
		keycodec.PutHash(dst[at:])
	}
	return dst, err
}

// appendPlace completes the beginning of a partition to the stored key of p.
func (r *relation) appendPlace(dst []byte, p Position) (_ []byte, err error) {
	if r.key.HasSort() {
		if dst, err = appendText(dst, r.key.Sort.Type, p.Sort); err != nil {
			return nil, err
		}
	}
	if r.owner == nil {
		return dst, nil
	}
	if dst, err = appendText(dst, r.owner.Hash.Type, p.Owner.Hash); err != nil || !r.owner.HasSort() {
		return dst, err
	}
	return appendText(dst, r.owner.Sort.Type, p.Owner.Sort)
}

// appendText appends the encoding of a key value given as in Key.
func appendText(dst []byte, t types.ScalarAttributeType, text string) ([]byte, error) {
	if t != types.ScalarAttributeTypeN {
		return keycodec.AppendBytes(dst, text), nil
	}
	dst, err := keycodec.AppendNumber(dst, text)
	if err != nil {
		return nil, fmt.Errorf("engine: key value %q: %w", text, err)
	}
	return dst, nil
}
