package keyspec

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Entity is a declared kind of item, held in Go as a T.
type Entity[T any] struct{ *row }

// Define adds a row to a table. T is a struct whose fields carry the tag
// `dynamo:"attribute"`, or `dynamo:"attribute,keyonly"` for what is stored only
// inside keys. Define panics when the declaration does not hold together, so that a
// wrong one fails at start-up.
func Define[T any](table *Table, spec Row) *Entity[T] {
	r, err := newRow(table, reflect.TypeFor[T](), spec)
	if err != nil {
		panic(fmt.Sprintf("keyspec: table %s, row %s | %s: %v", table.Name, spec.Key.PK, spec.Key.SK, err))
	}
	table.rows = append(table.rows, r)
	return &Entity[T]{r}
}

// Item returns v as it is stored: its attributes, all its keys and its version. It
// fails with a *SlotError when v lacks part of its primary key or a value cannot
// stand in a key.
func (e *Entity[T]) Item(v T) (map[string]types.AttributeValue, error) {
	return e.encode(unsafe.Pointer(&v))
}

// Read returns the T that an item holds, after upgrading it where it is of an older
// version. It fails with a *NewerError when it is of a later one.
func (e *Entity[T]) Read(item map[string]types.AttributeValue) (T, error) {
	var v T
	err := e.decode(item, Primary, unsafe.Pointer(&v))
	return v, err
}

func (r *row) encode(p unsafe.Pointer) (map[string]types.AttributeValue, error) {
	item := make(map[string]types.AttributeValue, len(r.codec.fields)+2*len(r.keys)+1)
	texts := newSlab(r.codec.texts(p) + 2*len(r.keys))
	r.codec.encode(p, item, texts)
	for _, k := range r.keys {
		pk, sk, present, err := k.of(p)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s on %s: %w", r, k.index.Name, err)
		case present:
			item[k.pkName] = texts.text(pk)
			item[k.skName] = k.sortValue(sk, texts)
		case k.index == Primary:
			return nil, fmt.Errorf("%s: %w", r, r.keyAt(p).err)
		}
	}
	if !r.table.Unversioned {
		item[versionAttribute] = &types.AttributeValueMemberN{Value: r.version}
	}
	return item, nil
}
