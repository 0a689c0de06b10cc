package keyspec

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"
)

// Range is a part of one partition of an index: the items whose sort keys start with the
// same slots, optionally between two bounds.
type Range[T any] struct{ bounds }

// bounds is an untyped Range.
type bounds struct {
	row *row
	// on are the templates of the index.
	on *keys
	// partition holds the slots of the partition key, pk the key itself.
	partition []string
	pk        string
	// prefix is the common prefix of all sort keys, built from their first slots.
	prefix string
	slots  int
	// low and high are the first and the last sort key, or "" if there is no bound.
	low, high string
	// empty is set for ranges without items, because keys cannot contain a given value, or
	// because low is after high, which DynamoDB refuses.
	empty bool
}

// Begins returns the range of items in a partition of an index whose keys start with the
// given slots: first all slots of the partition key in order, then any number of slots of
// the sort key. For the table's own key, use Primary.
//
// It panics if the row is not in the index, if the number of slots is wrong, or if the row
// Overlaps others in the index, since these cannot be distinguished by a prefix.
func (e *Entity[T]) Begins(ix *Index, slots ...string) Range[T] { return Range[T]{e.begins(ix, slots)} }

func (r *row) begins(ix *Index, slots []string) bounds {
	k := r.on(ix)
	if k == nil {
		panic(fmt.Sprintf("keyspec: row %s has no key on %s", r, ix.Name))
	}
	inPK, most := len(k.pkSlots), len(k.pkSlots)+len(k.skSlots)
	if k.numeric() {
		most = inPK
	}
	if len(slots) < inPK || len(slots) > most {
		panic(fmt.Sprintf("keyspec: %s | %s takes %d to %d slots, got %d", k.pk.text, k.sk.text, inPK, most, len(slots)))
	}
	if k.overlaps() {
		panic(fmt.Sprintf("keyspec: row %s overlaps another on %s, list it by another index", r, ix.Name))
	}
	b := bounds{row: r, on: k, partition: slots[:inPK], slots: len(slots) - inPK}
	var present [2]bool
	var errs [2]error
	b.pk, present[0], errs[0] = k.pk.build(inPK, func(i int) string { return slots[i] })
	b.prefix, present[1], errs[1] = k.sk.build(b.slots, func(i int) string { return slots[inPK+i] })
	b.empty = !present[0] || !present[1] || errs[0] != nil || errs[1] != nil
	return b
}

// From excludes items before bound, a value of the first sort key slot that was not given
// to Begins.
func (r Range[T]) From(bound string) Range[T] {
	r.low = r.bound(bound)
	r.empty = r.empty || r.crossed()
	return r
}

// To excludes items after bound, a value of the first sort key slot that was not given to
// Begins. Times are in whole microseconds, so To t-1 excludes t.
func (r Range[T]) To(bound string) Range[T] {
	r.high = r.bound(bound)
	r.empty = r.empty || r.crossed()
	return r
}

// CursorAfter returns the cursor of the page that follows v, whether v is stored or not. v must
// have the attributes of its keys, and be in the range.
func (r Range[T]) CursorAfter(v *T, descending bool) (string, error) {
	key := r.row.keyAt(unsafe.Pointer(v))
	if key.err != nil {
		return "", key.err
	}
	pk, sk, present, err := r.on.of(unsafe.Pointer(v))
	switch {
	case err != nil:
		return "", err
	case !present || r.empty || pk != r.pk || !r.includes(sk):
		return "", fmt.Errorf("keyspec: an item with key %s is not in the range", key)
	}
	return r.cursor(position{sk, key.pk, key.sk}, descending)
}

// ItemBefore returns the item that a cursor of this range follows, with the attributes of its
// keys only. It fails with ErrCursor if the cursor does not belong to this range and order.
func (r Range[T]) ItemBefore(cursor string, descending bool) (v T, err error) {
	at, err := r.after(Page{After: cursor, Descending: descending})
	if err != nil {
		return v, err
	}
	texts := map[int]string{
		r.row.primary.numbers[0]: at.pk, r.row.primary.numbers[1]: at.sk,
		r.on.numbers[0]: r.pk, r.on.numbers[1]: at.sort,
	}
	err = r.row.restoreFrom([]*keys{r.row.primary, r.on}, unsafe.Pointer(&v), false, func(number int) string { return texts[number] })
	if err != nil {
		return *new(T), ErrCursor
	}
	return v, nil
}

func (b *bounds) bound(value string) string {
	if b.slots == len(b.on.skSlots) {
		panic(fmt.Sprintf("keyspec: sort key %s has no slot left for a bound", b.on.sk.text))
	}
	return b.prefix + value
}

// crossed reports whether low is after high.
func (b *bounds) crossed() bool {
	switch {
	case b.low == "" || b.high == "":
		return false
	case !b.on.numeric():
		return b.low > b.high
	}
	low, lowErr := strconv.ParseFloat(b.low, 64)
	high, highErr := strconv.ParseFloat(b.high, 64)
	return lowErr == nil && highErr == nil && low > high
}

// lastText sorts after all texts that can follow a prefix.
const lastText = "\U0010FFFF"

// condition returns the key condition and the values of its sort key operands :a and :b.
// DynamoDB allows one condition on the sort key, so the open end of a range with a prefix
// becomes the end of the prefix.
func (b *bounds) condition() (text, from, to string) {
	switch {
	case b.on.skName == "":
		return "#p = :p", "", ""
	case !b.on.numeric() && b.slots == len(b.on.skSlots):
		return "#p = :p AND #s = :a", b.prefix, ""
	case b.low == "" && b.high == "" && b.prefix == "":
		return "#p = :p", "", ""
	case b.low == "" && b.high == "":
		return "#p = :p AND begins_with(#s, :a)", b.prefix, ""
	case b.prefix == "" && b.high == "":
		return "#p = :p AND #s >= :a", b.low, ""
	case b.prefix == "" && b.low == "":
		return "#p = :p AND #s <= :a", b.high, ""
	}
	from, to = b.low, b.high
	if from == "" {
		from = b.prefix
	}
	if to == "" {
		to = b.prefix + lastText
	}
	return "#p = :p AND #s BETWEEN :a AND :b", from, to
}

// includes reports whether a sort key is in the range.
func (b *bounds) includes(sk string) bool {
	if b.on.numeric() {
		if strings.Trim(sk, "+-.0123456789") != "" {
			return false
		}
		n, err := strconv.ParseFloat(sk, 64)
		low, lowErr := strconv.ParseFloat(b.low, 64)
		high, highErr := strconv.ParseFloat(b.high, 64)
		return err == nil && (lowErr != nil || n >= low) && (highErr != nil || n <= high)
	}
	return strings.HasPrefix(sk, b.prefix) && (b.low == "" || sk >= b.low) && (b.high == "" || sk <= b.high)
}
