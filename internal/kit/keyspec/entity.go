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

// of returns the keys of the item at p. They are absent when its condition does not
// hold or an attribute they need is absent.
func (k *keys) of(p unsafe.Pointer) (pk, sk string, present bool, err error) {
	return k.from(func(s *slot) string { return s.of(p) }, func(f *field) string { return f.text(p) })
}

// from returns the keys made of given slots and, for the condition, attributes.
func (k *keys) from(slot func(*slot) string, attribute func(*field) string) (pk, sk string, present bool, err error) {
	if k.when.field != nil && !k.when.holds(attribute(k.when.field)) {
		return "", "", false, nil
	}
	pk, present, err = k.pk.build(len(k.pkSlots), func(i int) string { return slot(k.pkSlots[i]) })
	if err != nil || !present {
		return "", "", false, err
	}
	sk, present, err = k.sk.build(len(k.skSlots), func(i int) string { return slot(k.skSlots[i]) })
	return pk, sk, present && err == nil, err
}

func (k *keys) sortValue(sk string, s *slab) types.AttributeValue {
	if k.numeric() {
		return &types.AttributeValueMemberN{Value: sk}
	}
	return s.text(sk)
}

// decode fills the T at p. Items read from an index that has keys only are restored
// as far as those keys reach.
func (r *row) decode(item map[string]types.AttributeValue, from *Index, p unsafe.Pointer) error {
	if !from.KeysOnly {
		var err error
		if item, err = r.upgraded(item); err != nil {
			return err
		}
		if err := r.codec.decode(item, p); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	return r.restore(from, p, func(name string) string { return keyText(item, name) })
}

// restore fills fields of the struct at p from the keys of an item: those that are
// stored nowhere else, or all that stand in them where only keys were read.
func (r *row) restore(from *Index, p unsafe.Pointer, key func(name string) string) error {
	if !from.KeysOnly {
		return r.restoreFrom(r.hidden, p, true, key)
	}
	return r.restoreFrom([]*keys{r.primary, r.on(from)}, p, false, key)
}

func (r *row) restoreFrom(all []*keys, p unsafe.Pointer, onlyHidden bool, key func(name string) string) error {
	for _, k := range all {
		pk := key(k.pkName)
		if pk == "" {
			continue
		}
		err := k.pk.restore(k.pkSlots, pk, p, onlyHidden)
		if err == nil {
			err = k.sk.restore(k.skSlots, key(k.skName), p, onlyHidden)
		}
		if err != nil {
			return fmt.Errorf("%s on %s: %w", r, k.index.Name, err)
		}
	}
	return nil
}

// restore splits a key into its slots and fills their fields.
func (t *template) restore(slots []*slot, text string, p unsafe.Pointer, onlyHidden bool) (err error) {
	matched := t.match(text, func(i int, value string) {
		s := slots[i]
		if s.part == nil && (s.field.keyOnly || !onlyHidden) && err == nil {
			err = s.field.parse(value, s.field.at(p))
		}
	})
	if !matched {
		return fmt.Errorf("key %q does not fit the template %s", text, t.text)
	}
	return err
}

// upgraded returns the item in the current version. An item that needs a change is
// copied first.
func (r *row) upgraded(item map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	n, ok := item[versionAttribute].(*types.AttributeValueMemberN)
	if r.table.Unversioned || ok && n.Value == r.version {
		return item, nil
	}
	if !ok {
		return nil, fmt.Errorf("%s: an item has no %s", r, versionAttribute)
	}
	return r.upgrade(item, n.Value)
}
