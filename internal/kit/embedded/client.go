// Package embedded lets rows be read from and written to the engine in this process
// directly: its Client is the engine, and shows and takes items as package keyspec
// wants to see and gives them.
//
// A wrapper around the Client hides this unless it has Unwrap; everything still
// works then, at several times the cost.
package embedded

import (
	"bytes"
	"context"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/keyspec"
)

// Client is an engine that keyspec reads and writes directly.
type Client struct{ *engine.Engine }

var _ keyspec.Direct = Client{}

// Items shows those items of a table that exist, each with the index of its key.
func (c Client) Items(ctx context.Context, table string, keys []keyspec.DirectKey, show func(i int, item keyspec.DirectItem) error) error {
	r := readings.Get().(*reading)
	defer r.release()
	for _, k := range keys {
		r.keys = append(r.keys, engine.Key{Hash: k.PK, Sort: k.SK})
	}
	r.show = show
	return c.VisitItems(ctx, table, r.keys, r.visit)
}

// reading is one call of Items.
type reading struct {
	keys  []engine.Key
	show  func(i int, item keyspec.DirectItem) error
	shown item
	// visit is the method value of see, made once.
	visit func(i int, v itemcodec.View) error
}

var readings = sync.Pool{New: func() any {
	r := &reading{}
	r.visit = r.see
	return r
}}

// release gives the reading back, without what it held.
func (r *reading) release() {
	clear(r.keys)
	*r = reading{keys: r.keys[:0], visit: r.visit}
	readings.Put(r)
}

// see shows an item that exists.
func (r *reading) see(i int, v itemcodec.View) error {
	if !v.Exists() {
		return nil
	}
	if err := r.shown.open(v); err != nil {
		return err
	}
	return r.show(i, &r.shown)
}

// Range shows the items of a range in order.
func (c Client) Range(ctx context.Context, r keyspec.DirectRange, show func(item keyspec.DirectItem) error) (more bool, err error) {
	wanted := engine.Range{
		Table: r.Table, Index: r.Index, Hash: r.PK,
		Prefix: r.Prefix, Low: given(r.Low), High: given(r.High),
		Backward: r.Descending, Limit: r.Limit,
	}
	if r.After != nil {
		wanted.After = &engine.Position{Sort: r.After.Sort, Owner: engine.Key{Hash: r.After.Key.PK, Sort: r.After.Key.SK}}
	}
	var shown item
	return c.VisitRange(ctx, wanted, func(v itemcodec.View) error {
		if err := shown.open(v); err != nil {
			return err
		}
		return show(&shown)
	})
}

func given(bound string) *string {
	if bound == "" {
		return nil
	}
	return &bound
}

// item is a view of bytes of its own, so that its texts outlive the engine's memory
// with one copy for all of them.
type item struct{ view itemcodec.View }

func (i *item) open(v itemcodec.View) (err error) {
	i.view, err = v.Reopen(bytes.Clone(v.Bytes()))
	return err
}

func (i *item) Each(f func(name string, kind keyspec.DirectKind, text string) bool) error {
	seen := 0
	for name, v := range i.view.All() {
		seen++
		kind, text := keyspec.DirectOther, ""
		switch v.Kind() {
		case itemcodec.String:
			kind, text = keyspec.DirectText, textOf(v.Bytes())
		case itemcodec.Number:
			kind, text = keyspec.DirectNumber, textOf(v.Bytes())
		case itemcodec.Bool:
			kind = keyspec.DirectFalse
			if v.Bool() {
				kind = keyspec.DirectTrue
			}
		}
		if !f(name, kind, text) {
			return nil
		}
	}
	if seen < i.view.Len() {
		return itemcodec.ErrCorrupt
	}
	return nil
}

func (i *item) Attribute(name string) types.AttributeValue { return i.view.Attribute(name) }

func (i *item) Item() (map[string]types.AttributeValue, error) { return i.view.Item() }

// textOf shares the memory of b, which open has made and nobody changes.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
