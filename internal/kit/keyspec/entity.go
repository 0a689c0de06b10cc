package keyspec

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// Entity is a declared kind of item, represented by a T.
type Entity[T any] struct{ *row }

// Define adds a row to a table. T is a struct whose fields have the tag
// `dynamo:"attribute"`, or `dynamo:"attribute,keyonly"` if they are stored only inside
// keys. Define panics if the declaration is inconsistent, so that errors are found at
// startup.
func Define[T any](table *Table, spec Row) *Entity[T] {
	return &Entity[T]{define(table, reflect.TypeFor[T](), spec, func() unsafe.Pointer { return unsafe.Pointer(new(T)) })}
}

// define is Define for all types.
func define(table *Table, of reflect.Type, spec Row, fresh func() unsafe.Pointer) *row {
	r, err := newRow(table, of, spec)
	if err != nil {
		panic(fmt.Sprintf("keyspec: table %s, row %s | %s: %v", table.Name, spec.Key.PK, spec.Key.SK, err))
	}
	r.fresh = fresh
	table.rows = append(table.rows, r)
	return r
}

// Item returns v in stored form: its attributes, all its keys and its version. It fails
// with a *SlotError if v lacks a part of its primary key or has a value that keys cannot
// contain.
func (e *Entity[T]) Item(v T) (map[string]types.AttributeValue, error) {
	return e.encode(unsafe.Pointer(&v))
}

// Read returns the T stored in an item, upgraded if it has an older version. It fails with
// a *NewerError if it has a newer one.
func (e *Entity[T]) Read(item map[string]types.AttributeValue) (T, error) {
	var v T
	err := e.decode(item, Primary, unsafe.Pointer(&v))
	return v, err
}

// encode returns the item of the T at p.
func (r *row) encode(p unsafe.Pointer) (map[string]types.AttributeValue, error) {
	fields, err := r.fields(make([]raw.Field, 0, len(r.columns)), r.keyAt(p), p)
	if err != nil {
		return nil, err
	}
	return itemOf(fields), nil
}

// itemOf returns fields as an item in the SDK's form.
func itemOf(fields []raw.Field) map[string]types.AttributeValue {
	item, texts := make(map[string]types.AttributeValue, len(fields)), 0
	for i := range fields {
		if fields[i].Kind == raw.Text {
			texts++
		}
	}
	slab := newSlab(texts)
	for i := range fields {
		item[fields[i].Name] = sdkValue(&fields[i], slab)
	}
	return item
}

// fields appends the item of the T at p, whose primary key is key: its attributes, all its
// keys and its version, sorted by name.
func (r *row) fields(dst []raw.Field, key Key, p unsafe.Pointer) ([]raw.Field, error) {
	if key.err != nil {
		return nil, fmt.Errorf("%s: %w", r, key.err)
	}
	var buf [32]string
	keys, err := r.indexKeys(slices.Grow(buf[:0], 2*len(r.keys)+1)[:2*len(r.keys)+1], p)
	if err != nil {
		return nil, err
	}
	keys[r.primary.numbers[0]], keys[r.primary.numbers[1]] = key.pk, key.sk
	for i := range r.columns {
		switch c := &r.columns[i]; {
		case c.key > 0 && keys[c.key] != "" && c.number:
			dst = append(dst, raw.Field{Name: c.name, Kind: raw.Number, Text: keys[c.key]})
		case c.key > 0 && keys[c.key] != "":
			dst = append(dst, raw.Field{Name: c.name, Kind: raw.Text, Text: keys[c.key]})
		case c.field != nil:
			if f := c.field.stored(p); f.Kind != raw.Removed {
				f.Name = c.name
				dst = append(dst, f)
			}
		case c.key == 0:
			dst = append(dst, raw.Field{Name: c.name, Kind: raw.Number, Text: r.version})
		}
	}
	return dst, nil
}

// indexKeys sets the keys of the T at p in all indexes, by number. It builds them as one
// string and slices it.
func (r *row) indexKeys(keys []string, p unsafe.Pointer) ([]string, error) {
	// An attribute may be in several of them.
	var texts [32]string
	text := func(f *field) string {
		if f.number >= len(texts) {
			return f.text(p)
		}
		if texts[f.number] == "" {
			texts[f.number] = f.text(p)
		}
		return texts[f.number]
	}
	var buf [512]byte
	var cuts [32]int
	made, ends := buf[:0], cuts[:0]
	for _, k := range r.keys[1:] {
		longer, cut, present, err := k.append(made, text)
		if err != nil {
			return nil, fmt.Errorf("%s on %s: %w", r, k.index.Name, err)
		}
		if made = longer; !present {
			cut = len(made)
		}
		ends = append(ends, cut, len(made))
	}
	all, from := string(made), 0
	for i, k := range r.keys[1:] {
		cut, end := ends[2*i], ends[2*i+1]
		if from < end {
			keys[k.numbers[0]], keys[k.numbers[1]] = all[from:cut], all[cut:end]
		}
		from = end
	}
	return keys, nil
}
