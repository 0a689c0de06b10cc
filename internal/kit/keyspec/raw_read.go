package keyspec

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/trace"
)

// rawReader decodes the items of one request sequentially.
type rawReader struct {
	// visit and shown are the method values of attribute and show, created once.
	visit func(name string, kind raw.Kind, text string) bool
	shown func(i int, item raw.Item) error

	// asked lists the items of a table that are read by key, primary those keys. Their
	// structs are allocated, except that a single one is decoded to dst.
	asked   []*wanted
	primary []raw.Key
	lone    wanted
	dst     unsafe.Pointer

	row  *row
	from *Index
	p    unsafe.Pointer
	item raw.Item
	// next is the first column that may follow.
	next int
	// keys are the texts of the key attributes, by number.
	keys    []string
	version string
	err     error

	// calls counts what is read; size is the total length of the current item's texts.
	calls *trace.Calls
	size  int
}

var rawReaders = sync.Pool{New: func() any {
	d := &rawReader{}
	d.visit, d.shown = d.attribute, d.show
	return d
}}

func newRawReader() *rawReader { return rawReaders.Get().(*rawReader) }

// release returns the reader to the pool without its contents.
func (d *rawReader) release() {
	clear(d.asked)
	clear(d.primary)
	clear(d.keys)
	*d = rawReader{visit: d.visit, shown: d.shown, asked: d.asked[:0], primary: d.primary[:0], keys: d.keys[:0]}
	rawReaders.Put(d)
}

// ask reads the requested items of a table.
func (d *rawReader) ask(ctx context.Context, db *DB, table string) error {
	d.primary = slices.Grow(d.primary[:0], len(d.asked))
	for _, w := range d.asked {
		d.primary = append(d.primary, raw.Key{Hash: w.key.pk, Sort: w.key.sk})
	}
	d.calls = trace.CallsOf(ctx)
	return db.raw.ReadItems(ctx, table, d.primary, d.shown)
}

// show decodes a requested item.
func (d *rawReader) show(i int, item raw.Item) error {
	w := d.asked[i]
	if w.found = d.dst; w.found == nil {
		w.found = w.key.row.fresh()
	}
	return d.decode(w.key.row, item, Primary, w.found)
}

// decode fills the struct of a row at p from an item.
func (d *rawReader) decode(r *row, item raw.Item, from *Index, p unsafe.Pointer) error {
	d.row, d.item, d.from, d.p = r, item, from, p
	d.version, d.err, d.next, d.size = "", nil, 0, 0
	d.keys = slices.Grow(d.keys[:0], 2*len(r.keys)+1)[:2*len(r.keys)+1]
	clear(d.keys)
	if err := item.Each(d.visit); err != nil {
		return err
	}
	if d.err != nil {
		return fmt.Errorf("%s: %w", r, d.err)
	}
	if err := d.calls.Read(d.size); err != nil {
		return err
	}
	if !from.KeysOnly && !r.table.Unversioned && d.version != r.version {
		return d.decodeOther()
	}
	return r.restore(from, p, d.key)
}

// decodeOther decodes an item of another version, which takes more time.
func (d *rawReader) decodeOther() error {
	item, err := d.item.Item()
	if err != nil {
		return err
	}
	return d.row.decode(item, d.from, d.p)
}

// key returns the text of a key attribute.
func (d *rawReader) key(number int) string { return d.keys[number] }

// attribute decodes one attribute of the item.
func (d *rawReader) attribute(name string, kind raw.Kind, text string) bool {
	d.size += len(text)
	c := d.column(name)
	switch {
	case c == nil:
		return true
	case c.field == nil && c.key == 0:
		d.version = text
		return true
	case c.key > 0:
		d.keys[c.key] = text
	}
	if c.field != nil && !d.from.KeysOnly {
		if err := c.field.readRaw(kind, text, d.item, d.p); err != nil {
			d.err = fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	return d.err == nil
}

// column returns the column of an attribute, or nil. Both are sorted by name, so that no
// column is visited twice.
func (d *rawReader) column(name string) *column {
	head := headOf(name)
	for columns := d.row.columns; d.next < len(columns); d.next++ {
		switch c := &columns[d.next]; {
		case c.head < head:
		case c.name == name:
			d.next++
			return c
		case c.head > head || c.name > name:
			return nil
		}
	}
	return nil
}

var (
	rawTrue  = &types.AttributeValueMemberBOOL{Value: true}
	rawFalse = &types.AttributeValueMemberBOOL{}
)

// readRaw sets the field of the struct at p.
func (f *field) readRaw(kind raw.Kind, text string, item raw.Item, p unsafe.Pointer) error {
	switch {
	case kind == raw.Text && f.wire == wireText, kind == raw.Number && f.wire == wireNumber:
		return f.parse(text, f.at(p))
	case kind == raw.True:
		return f.decode(rawTrue, f.at(p))
	case kind == raw.False:
		return f.decode(rawFalse, f.at(p))
	default:
		return f.decode(item.Value(), f.at(p))
	}
}

func (db *DB) getRaw(ctx context.Context, key Key, p unsafe.Pointer) (found bool, err error) {
	name := *db.name(key.row.table)
	reader := newRawReader()
	defer reader.release()
	reader.lone.key, reader.dst = key, p
	reader.asked = append(reader.asked, &reader.lone)
	done := db.observe(ctx, "GetItem", name)
	err = reader.ask(ctx, db, name)
	done(err)
	if err != nil {
		return false, fmt.Errorf("keyspec: get %s: %w", key, err)
	}
	return reader.lone.found != nil, nil
}

// readRaw reads a chunk of a batch, table by table.
func (db *DB) readRaw(ctx context.Context, chunk []wanted) (err error) {
	var of [4]*Table
	tables, names := of[:0], make([]string, 0, 1)
	for i := range chunk {
		if t := chunk[i].key.row.table; !slices.Contains(tables, t) {
			tables, names = append(tables, t), append(names, *db.name(t))
		}
	}
	done := db.observe(ctx, "BatchGetItem", names...)
	defer func() { done(err) }()
	reader := newRawReader()
	defer reader.release()
	for i, t := range tables {
		reader.asked = reader.asked[:0]
		for i := range chunk {
			if w := &chunk[i]; w.key.row.table == t {
				reader.asked = append(reader.asked, w)
			}
		}
		if err := reader.ask(ctx, db, names[i]); err != nil {
			return fmt.Errorf("keyspec: batch get: %w", err)
		}
	}
	return nil
}

func (b *bounds) queryRaw(ctx context.Context, db *DB, q query, take func(decodeItem) error) (more bool, err error) {
	r := b.rawRange(*db.name(b.row.table), q)
	reader := newRawReader()
	defer reader.release()
	reader.calls = trace.CallsOf(ctx)
	done := db.observe(ctx, "Query", r.Table)
	var shown raw.Item
	decode := func(p unsafe.Pointer) (position, error) {
		err := reader.decode(b.row, shown, b.on.index, p)
		return b.positionOf(reader.key), err
	}
	more, err = db.raw.ReadRange(ctx, r, func(item raw.Item) error {
		shown = item
		return take(decode)
	})
	done(err)
	if err != nil {
		return false, fmt.Errorf("keyspec: query %s of row %s: %w", b.on.index.Name, b.row, err)
	}
	return more, nil
}

func (b *bounds) rawRange(table string, q query) raw.Range {
	r := raw.Range{Table: table, Hash: b.pk, Prefix: b.prefix, Backward: q.descending, Limit: q.limit}
	switch {
	case !b.on.numeric() && b.slots == len(b.on.skSlots):
		r.Prefix, r.Low, r.High = "", b.prefix, b.prefix
	case b.low != "" || b.high != "":
		_, r.Low, r.High = b.condition()
		if b.prefix == "" {
			r.Low, r.High = b.low, b.high
		}
		r.Prefix = ""
	}
	if b.on.index != Primary {
		r.Index = b.on.index.Name
	}
	if q.after != nil {
		r.After = &raw.Position{Sort: q.after.sort, Owner: raw.Key{Hash: q.after.pk, Sort: q.after.sk}}
	}
	return r
}
