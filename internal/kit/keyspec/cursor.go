package keyspec

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
)

// A cursor is base64url of a checksum and a position: those slots of the item's primary key
// that the index key does not imply, and the part of the sort key after the list's prefix.
// It therefore cannot refer to another partition. The checksum also covers the list and its
// order, and detects damage. It is not a signature: positions are validated as untrusted.

// cursorVersion is part of every checksum: raise it when the layout changes.
const cursorVersion = "1"

// longestCursor is the maximum length of a valid cursor.
const longestCursor = 8 << 10

// checksumSize is the length of the checksum in bytes.
const checksumSize = 4

// checksum returns a checksum that distinguishes lists, orders and positions.
func (b *bounds) checksum(descending bool, position []byte) []byte {
	order := "ascending"
	if descending {
		order = "descending"
	}
	h := fnv.New32a()
	for _, part := range []string{cursorVersion, b.row.String(), b.on.index.Name, b.pk, b.prefix, order} {
		io.WriteString(h, part)
		h.Write([]byte{0})
	}
	h.Write(position)
	return h.Sum(nil)
}

// position is the position of an item in a range: its sort key, and its primary key.
type position struct{ sort, pk, sk string }

// positionOf returns the position of an item that was read from the range, given its key
// attributes by number.
func (b *bounds) positionOf(key func(number int) string) position {
	primary := b.row.primary.numbers
	return position{key(b.on.numbers[1]), key(primary[0]), key(primary[1])}
}

// cursor returns a cursor to the position after an item.
func (b *bounds) cursor(at position, descending bool) (string, error) {
	var texts []string
	if unimplied := b.unimplied(); len(unimplied) > 0 {
		slots, err := b.row.primarySlots(at)
		if err != nil {
			return "", err
		}
		for _, i := range unimplied {
			texts = append(texts, slots[i])
		}
	}
	var raw []byte
	for _, text := range append(texts, at.sort[len(b.prefix):]) {
		raw = binary.AppendUvarint(raw, uint64(len(text)))
		raw = append(raw, text...)
	}
	return base64.RawURLEncoding.EncodeToString(append(b.checksum(descending, raw), raw...)), nil
}

// after decodes a cursor to the position that it follows. All failures are ErrCursor,
// because cursors come from clients.
func (b *bounds) after(p Page) (position, error) {
	if len(p.After) > longestCursor {
		return position{}, ErrCursor
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(p.After)
	if err != nil || len(raw) < checksumSize || b.empty {
		return position{}, ErrCursor
	}
	sum, rest := raw[:checksumSize], raw[checksumSize:]
	if !bytes.Equal(sum, b.checksum(p.Descending, rest)) {
		return position{}, ErrCursor
	}
	texts, ok := cutTexts(rest)
	unimplied := b.unimplied()
	if !ok || len(texts) != len(unimplied)+1 {
		return position{}, ErrCursor
	}
	sk := b.prefix + texts[len(unimplied)]
	if !b.includes(sk) {
		return position{}, ErrCursor
	}
	if b.on.index == Primary {
		return position{sk, b.pk, sk}, nil
	}
	key, ok := b.primaryKey(sk, unimplied, texts)
	if !ok {
		return position{}, ErrCursor
	}
	return position{sk, key.pk, key.sk}, nil
}

// primaryKey composes the primary key from the partition, the sort key and the values of
// the slots that these do not imply.
func (b *bounds) primaryKey(sk string, unimplied []int, texts []string) (Key, bool) {
	implied := map[string]string{}
	for i, name := range b.on.pk.slots {
		implied[name] = b.partition[i]
	}
	if !b.on.sk.match(sk, func(i int, value string) { implied[b.on.sk.slots[i]] = value }) {
		return Key{}, false
	}
	names := b.row.slotNames()
	slots := make([]string, len(names))
	for i, name := range names {
		slots[i] = implied[name]
	}
	for n, i := range unimplied {
		slots[i] = texts[n]
	}
	key := b.row.key(slots)
	return key, key.err == nil
}

// unimplied returns the indexes of those slots of the primary key that the index key does
// not contain.
func (b *bounds) unimplied() []int {
	if b.on.index == Primary {
		return nil
	}
	var which []int
	for i, name := range b.row.slotNames() {
		inSort := slices.Contains(b.on.sk.slots, name) && b.on.sk.instead == ""
		if !inSort && !slices.Contains(b.on.pk.slots, name) {
			which = append(which, i)
		}
	}
	return which
}

// primarySlots returns the slots of an item's primary key.
func (r *row) primarySlots(at position) ([]string, error) {
	slots := make([]string, 0, 4)
	take := func(_ int, value string) { slots = append(slots, value) }
	if !r.primary.pk.match(at.pk, take) || !r.primary.sk.match(at.sk, take) {
		return nil, fmt.Errorf("keyspec: an item with key %s | %s is not of row %s", at.pk, at.sk, r)
	}
	return slots, nil
}

// slotNames returns the slots of the primary key, in the order of Key's arguments.
func (r *row) slotNames() []string { return slices.Concat(r.primary.pk.slots, r.primary.sk.slots) }

// cutTexts splits length-prefixed texts.
func cutTexts(raw []byte) (texts []string, ok bool) {
	for len(raw) > 0 {
		n, size := binary.Uvarint(raw)
		if size <= 0 || n > uint64(len(raw)-size) {
			return nil, false
		}
		texts = append(texts, string(raw[size:size+int(n)]))
		raw = raw[size+int(n):]
	}
	return texts, true
}
