package keyspec

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// directReader decodes items of one request, one after the other.
type directReader struct {
	// visit and shown are the method values of attribute and show, made once.
	visit func(name string, kind DirectKind, text string) bool
	shown func(i int, item DirectItem) error

	// asked are the items of a table that are read by their keys, primary those keys.
	// They go to new places, but a lone one to place.
	asked   []*wanted
	primary []DirectKey
	lone    wanted
	place   unsafe.Pointer

	row  *row
	from *Index
	p    unsafe.Pointer
	item DirectItem
	// next is the first column that may come next.
	next int
	// keys are the texts of the key attributes, by their number.
	keys    []string
	version string
	err     error
}

var directReaders = sync.Pool{New: func() any {
	d := &directReader{}
	d.visit, d.shown = d.attribute, d.show
	return d
}}

func newDirectReader() *directReader { return directReaders.Get().(*directReader) }

// release gives the reader back, without what it held.
func (d *directReader) release() {
	clear(d.asked)
	clear(d.primary)
	clear(d.keys)
	*d = directReader{visit: d.visit, shown: d.shown, asked: d.asked[:0], primary: d.primary[:0], keys: d.keys[:0]}
	directReaders.Put(d)
}

// ask reads what is asked of a table.
func (d *directReader) ask(ctx context.Context, db *DB, table string) error {
	d.primary = slices.Grow(d.primary[:0], len(d.asked))
	for _, w := range d.asked {
		d.primary = append(d.primary, DirectKey{w.key.pk, w.key.sk})
	}
	return db.direct.Items(ctx, table, d.primary, d.shown)
}

// show takes an item that was asked for.
func (d *directReader) show(i int, item DirectItem) error {
	w := d.asked[i]
	if w.found = d.place; w.found == nil {
		w.found = w.key.row.fresh()
	}
	return d.decode(w.key.row, item, Primary, w.found)
}

// decode fills the struct of a row at p from an item.
func (d *directReader) decode(r *row, item DirectItem, from *Index, p unsafe.Pointer) error {
	d.row, d.item, d.from, d.p = r, item, from, p
	d.version, d.err, d.next = "", nil, 0
	d.keys = slices.Grow(d.keys[:0], 2*len(r.keys)+1)[:2*len(r.keys)+1]
	clear(d.keys)
	if err := item.Each(d.visit); err != nil {
		return err
	}
	if d.err != nil {
		return fmt.Errorf("%s: %w", r, d.err)
	}
	if !from.KeysOnly && !r.table.Unversioned && d.version != r.version {
		return d.decodeOther()
	}
	return r.restore(from, p, d.key)
}

// decodeOther reads an item of another version, which takes more than a glance.
func (d *directReader) decodeOther() error {
	item, err := d.item.Item()
	if err != nil {
		return err
	}
	return d.row.decode(item, d.from, d.p)
}

// key returns the text of a key attribute.
func (d *directReader) key(number int) string { return d.keys[number] }

// attribute takes one attribute of the item.
func (d *directReader) attribute(name string, kind DirectKind, text string) bool {
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
		if err := c.field.readDirect(kind, text, d.item, d.p); err != nil {
			d.err = fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	return d.err == nil
}

// column returns the column of an attribute, or nil. Both come in the order of their
// names, so that no column is looked at twice.
func (d *directReader) column(name string) *column {
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
	directTrue  = &types.AttributeValueMemberBOOL{Value: true}
	directFalse = &types.AttributeValueMemberBOOL{}
)

// readDirect sets the field of the struct at p.
func (f *field) readDirect(kind DirectKind, text string, item DirectItem, p unsafe.Pointer) error {
	switch {
	case kind == DirectText && f.wire == wireText, kind == DirectNumber && f.wire == wireNumber:
		return f.parse(text, f.at(p))
	case kind == DirectTrue:
		return f.decode(directTrue, f.at(p))
	case kind == DirectFalse:
		return f.decode(directFalse, f.at(p))
	default:
		return f.decode(item.Attribute(f.name), f.at(p))
	}
}

func (db *DB) getDirect(ctx context.Context, key Key, p unsafe.Pointer) (found bool, err error) {
	name := *db.name(key.row.table)
	reader := newDirectReader()
	defer reader.release()
	reader.lone.key, reader.place = key, p
	reader.asked = append(reader.asked, &reader.lone)
	done := db.observe(ctx, "GetItem", name)
	err = reader.ask(ctx, db, name)
	done(err)
	if err != nil {
		return false, fmt.Errorf("keyspec: get %s: %w", key, err)
	}
	return reader.lone.found != nil, nil
}

// readDirect reads a chunk of a batch, table by table.
func (db *DB) readDirect(ctx context.Context, chunk []wanted) (err error) {
	var of [4]*Table
	tables, names := of[:0], make([]string, 0, 1)
	for i := range chunk {
		if t := chunk[i].key.row.table; !slices.Contains(tables, t) {
			tables, names = append(tables, t), append(names, *db.name(t))
		}
	}
	done := db.observe(ctx, "BatchGetItem", names...)
	defer func() { done(err) }()
	reader := newDirectReader()
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

func (b *bounds) queryDirect(ctx context.Context, db *DB, q query, take func(decodeItem) error) (more bool, err error) {
	r := b.directRange(*db.name(b.row.table), q)
	reader := newDirectReader()
	defer reader.release()
	done := db.observe(ctx, "Query", r.Table)
	var shown DirectItem
	decode := func(p unsafe.Pointer) (position, error) {
		err := reader.decode(b.row, shown, b.on.index, p)
		return b.positionOf(reader.key), err
	}
	more, err = db.direct.Range(ctx, r, func(item DirectItem) error {
		shown = item
		return take(decode)
	})
	done(err)
	if err != nil {
		return false, fmt.Errorf("keyspec: query %s of row %s: %w", b.on.index.Name, b.row, err)
	}
	return more, nil
}

func (b *bounds) directRange(table string, q query) DirectRange {
	r := DirectRange{Table: table, PK: b.pk, Prefix: b.prefix, Descending: q.descending, Limit: q.limit}
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
		r.After = &DirectPosition{q.after.sort, DirectKey{q.after.pk, q.after.sk}}
	}
	return r
}
