package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/keycodec"
	"stoa/internal/kit/engine/raw"
)

var _ raw.Store = (*Engine)(nil)

// typicalKeySize is the size of most stored keys in bytes.
const typicalKeySize = 144

// ReadItems implements [raw.Store].
func (e *Engine) ReadItems(ctx context.Context, table string, keys []raw.Key, show func(i int, item raw.Item) error) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	t, err := e.table(&table)
	if err != nil {
		return err
	}
	r := rawReads.Get().(*rawRead)
	defer r.release()
	r.bytes = slices.Grow(r.bytes, typicalKeySize*len(keys))
	for _, k := range keys {
		at := len(r.bytes)
		if r.bytes, err = t.appendRawKey(r.bytes, k); err != nil {
			return err
		}
		r.storedKeys = append(r.storedKeys, r.bytes[at:])
	}
	if err := e.latest(&r.read, r.storedKeys...); err != nil {
		return err
	}
	// A single copy makes the texts of all small items outlive the engine's memory.
	own := readings{buf: bytes.Clone(r.read.buf), items: r.read.items}
	for i := range keys {
		if _, found := own.at(i); !found {
			continue
		}
		err := own.visit(e, t, i, func(v itemcodec.View) error {
			r.item.View = v
			return show(i, &r.item)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rawRead is the memory of one call of ReadItems.
type rawRead struct {
	storedKeys [][]byte
	bytes      []byte // of the stored keys
	read       readings
	item       rawItem
}

var rawReads = sync.Pool{New: func() any { return new(rawRead) }}

func (r *rawRead) release() {
	if cap(r.bytes)+cap(r.read.buf) > maxScratch {
		return
	}
	clear(r.storedKeys)
	clear(r.read.items)
	r.storedKeys, r.bytes, r.item = r.storedKeys[:0], r.bytes[:0], rawItem{}
	rawReads.Put(r)
}

// ReadRange implements [raw.Store].
func (e *Engine) ReadRange(ctx context.Context, r raw.Range, show func(raw.Item) error) (more bool, err error) {
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
	if r.After != nil {
		more, err = e.readRange(rel, t, s, r.Limit, nil, show)
	} else if p, ok := e.known(s, r.Limit); ok {
		more, err = p.more, p.show(t, show)
	} else {
		l := e.learn(s)
		defer learners.Put(l)
		if more, err = e.readRange(rel, t, s, r.Limit, l, show); err == nil {
			e.remember(s, l, more)
		}
	}
	return more, e.noteDamage(t.Name, err)
}

// readRange passes the items of s to show, and to l unless it is nil.
func (e *Engine) readRange(rel *relation, t *table, s span, limit int, l *learner, show func(raw.Item) error) (more bool, err error) {
	var item rawItem
	return e.walk(rel, t.names, s, limit, l == nil, func(v itemcodec.View, _ bool) error {
		if err := item.open(v); err != nil {
			return err
		}
		if l != nil {
			l.add(item.Bytes())
		}
		return show(&item)
	})
}

// show passes the items of p, which are from t, to f.
func (p *knownPage) show(t *table, f func(raw.Item) error) (err error) {
	var item rawItem
	for data := range p.all {
		if item.View, err = itemcodec.Open(t.names, data); err != nil {
			return err
		}
		if err := f(&item); err != nil {
			return err
		}
	}
	return nil
}

// rawItem is a view of immutable bytes, whose texts can therefore share them.
type rawItem struct {
	itemcodec.View
	// at is the attribute that Each has reached.
	at      itemcodec.Value
	decoder itemcodec.Decoder
}

// open opens a copy of v.
func (i *rawItem) open(v itemcodec.View) (err error) {
	i.View, err = v.Reopen(bytes.Clone(v.Bytes()))
	return err
}

func (i *rawItem) Each(f func(name string, kind raw.Kind, text string) bool) error {
	seen := 0
	for name, v := range i.All() {
		seen++
		i.at = v
		kind, text := raw.Other, ""
		switch v.Kind() {
		case itemcodec.String:
			kind, text = raw.Text, sharedText(v.Bytes())
		case itemcodec.Number:
			kind, text = raw.Number, sharedText(v.Bytes())
		case itemcodec.Bool:
			kind = raw.False
			if v.Bool() {
				kind = raw.True
			}
		}
		if !f(name, kind, text) {
			return nil
		}
	}
	if seen < i.Len() {
		return itemcodec.ErrCorrupt
	}
	return nil
}

func (i *rawItem) Value() types.AttributeValue { return i.decoder.Value(i.at) }

// sharedText returns b as a string without copying it; b must not change.
func sharedText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// rangeSpan returns the span of the items of g.
func (r *relation) rangeSpan(g raw.Range) (span, error) {
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
		if g.Low != "" {
			if s.lower, err = at(g.Low); err != nil {
				return s, err
			}
		}
		if g.High != "" {
			high, err := at(g.High)
			if err != nil {
				return s, err
			}
			s.upper = keycodec.After(high)
		}
	}
	if g.After == nil {
		return s, nil
	}
	storedKey, err := r.appendPosition(partition[:len(partition):len(partition)], *g.After)
	if err != nil {
		return s, err
	}
	if s.holds(storedKey) {
		s.startAfter(storedKey)
		return s, nil
	}
	return s, fmt.Errorf("engine: the position to continue after lies outside the range")
}

// appendRawKey appends the stored key of the item of a table with key k.
func (t *table) appendRawKey(dst []byte, k raw.Key) ([]byte, error) {
	dst, err := t.appendHash(dst, k.Hash)
	if err != nil || !t.key.HasSort() {
		return dst, err
	}
	return appendText(dst, t.key.Sort.Type, k.Sort)
}

// appendHash appends the common prefix of the stored keys of a partition.
func (r *relation) appendHash(dst []byte, hash string) ([]byte, error) {
	dst = append(dst, r.prefix...)
	at := len(dst)
	dst, err := appendText(keycodec.ReserveHash(dst), r.key.Hash.Type, hash)
	if err == nil {
		keycodec.PutHash(dst[at:])
	}
	return dst, err
}

// appendPosition completes the prefix of a partition to the stored key of p.
func (r *relation) appendPosition(dst []byte, p raw.Position) (_ []byte, err error) {
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

// appendText appends the encoding of a key value given as in raw.Key.
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
