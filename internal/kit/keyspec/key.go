package keyspec

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Key is the primary key of one item. A key with invalid values (an empty id, or one that
// contains a separator) refers to no item: reads find nothing, writes fail.
type Key struct {
	row    *row
	pk, sk string
	err    error
}

// Key returns the primary key for its slots, in the order of the two templates. It panics
// if their number is wrong.
func (e *Entity[T]) Key(slots ...string) Key { return e.key(slots) }

// KeyOf returns the primary key of v.
func (e *Entity[T]) KeyOf(v *T) Key { return e.keyAt(unsafe.Pointer(v)) }

// keyAt returns the primary key of the item at p.
func (r *row) keyAt(p unsafe.Pointer) Key {
	var buf [4]string
	slots := buf[:0]
	for _, s := range r.primary.pkSlots {
		slots = append(slots, s.of(p))
	}
	for _, s := range r.primary.skSlots {
		slots = append(slots, s.of(p))
	}
	return r.key(slots)
}

func (r *row) key(slots []string) Key {
	k := r.primary
	inPK := len(k.pkSlots)
	if len(slots) != inPK+len(k.skSlots) {
		panic(fmt.Sprintf("keyspec: the key of %s has %d slots, got %d", r, inPK+len(k.skSlots), len(slots)))
	}
	key := Key{row: r}
	// Both keys are built as one string, which is then sliced.
	var buf [typicalKey]byte
	made, whole, err := k.pk.append(buf[:0], inPK, func(i int) string { return slots[i] })
	cut := len(made)
	if whole {
		made, whole, err = k.sk.append(made, len(k.skSlots), func(i int) string { return slots[inPK+i] })
	}
	text := string(made)
	key.pk, key.sk, key.err = text[:cut], text[cut:], err
	if err == nil && !whole {
		key.err = &SlotError{Slot: r.emptySlot(slots), Reason: "is part of the primary key and must not be empty"}
	}
	return key
}

// emptySlot returns the name of the first empty slot of the primary key.
func (r *row) emptySlot(slots []string) string {
	return r.slotNames()[slices.Index(slots, "")]
}

// item returns the key in the form of requests.
func (k Key) item() map[string]types.AttributeValue {
	texts := newSlab(2)
	item := map[string]types.AttributeValue{k.row.table.PK: texts.text(k.pk)}
	if k.row.table.SK != "" {
		item[k.row.table.SK] = k.row.primary.sortValue(k.sk, texts)
	}
	return item
}

// String returns the key in a form for logs and errors.
func (k Key) String() string { return k.row.table.Name + " " + k.pk + " | " + k.sk }

// address identifies an item across tables.
type address struct {
	table  *Table
	pk, sk string
}

// is reports whether both are keys of the same item.
func (k *Key) is(l *Key) bool {
	return k.sk == l.sk && k.pk == l.pk && k.row.table == l.row.table
}

func (k Key) address() address { return address{k.row.table, k.pk, k.sk} }

// addressOf returns the address of an item of the table.
func (t *Table) addressOf(item map[string]types.AttributeValue) address {
	return address{table: t, pk: keyText(item, t.PK), sk: keyText(item, t.SK)}
}

// keyText returns a key attribute as text, or "" if it is absent.
func keyText(item map[string]types.AttributeValue, name string) string {
	switch av := item[name].(type) {
	case *types.AttributeValueMemberS:
		return av.Value
	case *types.AttributeValueMemberN:
		return av.Value
	default:
		return ""
	}
}
