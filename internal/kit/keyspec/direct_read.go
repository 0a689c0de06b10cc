package keyspec

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// directReader decodes items of one request, one after the other.
type directReader struct {
	// visit is the method value of attribute, made once.
	visit func(name string, kind DirectKind, text string) bool

	row  *row
	from *Index
	p    unsafe.Pointer
	item DirectItem
	// keys are the texts of the key attributes, by their number.
	keys    []string
	version string
	err     error
}

func newDirectReader() *directReader {
	d := &directReader{}
	d.visit = d.attribute
	return d
}

// decode fills the struct of a row at p from an item.
func (d *directReader) decode(r *row, item DirectItem, from *Index, p unsafe.Pointer) error {
	d.row, d.item, d.from, d.p = r, item, from, p
	d.version, d.err = "", nil
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
func (d *directReader) key(name string) string { return d.keys[d.row.roles[name].key] }

// attribute takes one attribute of the item.
func (d *directReader) attribute(name string, kind DirectKind, text string) bool {
	role, known := d.row.roles[name]
	if !known {
		if name == versionAttribute {
			d.version = text
		}
		return true
	}
	if role.key > 0 {
		d.keys[role.key] = text
	}
	if role.field != nil && !d.from.KeysOnly {
		if err := role.field.readDirect(kind, text, d.item, d.p); err != nil {
			d.err = fmt.Errorf("attribute %q: %w", name, err)
		}
	}
	return d.err == nil
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
	done := db.observe(ctx, "GetItem", name)
	err = db.direct.Items(ctx, name, []DirectKey{{key.pk, key.sk}}, func(_ int, item DirectItem) error {
		found = true
		return newDirectReader().decode(key.row, item, Primary, p)
	})
	done(err)
	if err != nil {
		return false, fmt.Errorf("keyspec: get %s: %w", key, err)
	}
	return found, nil
}

// readDirect reads a chunk of a batch, table by table.
func (db *DB) readDirect(ctx context.Context, chunk []*wanted) (err error) {
	byTable := map[*Table][]*wanted{}
	for _, w := range chunk {
		byTable[w.key.row.table] = append(byTable[w.key.row.table], w)
	}
	names := make([]string, 0, len(byTable))
	for t := range byTable {
		names = append(names, *db.name(t))
	}
	done := db.observe(ctx, "BatchGetItem", names...)
	defer func() { done(err) }()
	reader := newDirectReader()
	for t, asked := range byTable {
		keys := make([]DirectKey, len(asked))
		for i, w := range asked {
			keys[i] = DirectKey{w.key.pk, w.key.sk}
		}
		err := db.direct.Items(ctx, *db.name(t), keys, func(i int, item DirectItem) error {
			p := asked[i].fresh()
			asked[i].found = p
			return reader.decode(asked[i].key.row, item, Primary, p)
		})
		if err != nil {
			return fmt.Errorf("keyspec: batch get: %w", err)
		}
	}
	return nil
}

func (b *bounds) queryDirect(ctx context.Context, db *DB, q query, take func(decodeItem) error) (more bool, err error) {
	r := b.directRange(*db.name(b.row.table), q)
	reader := newDirectReader()
	done := db.observe(ctx, "Query", r.Table)
	more, err = db.direct.Range(ctx, r, func(item DirectItem) error {
		return take(func(p unsafe.Pointer) (position, error) {
			err := reader.decode(b.row, item, b.on.index, p)
			return b.positionOf(reader.key), err
		})
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
