package keyspec

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"io"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A cursor is base64url of a fingerprint of its list and order, what follows the
// list's prefix in the sort key, and those slots of the item's primary key that the
// index key does not imply. So it cannot be pointed at another partition.

// cursorVersion is part of every fingerprint: raise it when the layout changes.
const cursorVersion = "1"

// longestCursor is the greatest length of a cursor that is looked at.
const longestCursor = 8 << 10

// fingerprint tells lists and orders apart.
func (b *bounds) fingerprint(descending bool) []byte {
	order := "ascending"
	if descending {
		order = "descending"
	}
	h := fnv.New32a()
	for _, part := range []string{cursorVersion, b.row.String(), b.on.index.Name, b.pk, b.prefix, order} {
		io.WriteString(h, part)
		h.Write([]byte{0})
	}
	return h.Sum(nil)
}

// cursor points behind an item of the range.
func (b *bounds) cursor(item map[string]types.AttributeValue, descending bool) (string, error) {
	sk := keyText(item, b.on.skName)
	key := make([]string, 0, 4)
	if b.on.index != Primary {
		slots, err := b.row.primarySlots(item)
		if err != nil {
			return "", err
		}
		for _, i := range b.unimplied() {
			key = append(key, slots[i])
		}
	}
	raw := b.fingerprint(descending)
	for _, text := range append(key, sk[len(b.prefix):]) {
		raw = binary.AppendUvarint(raw, uint64(len(text)))
		raw = append(raw, text...)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// startAfter turns a cursor back into the keys of the item it points behind. Every
// flaw is ErrCursor: the text comes from clients.
func (b *bounds) startAfter(p Page) (map[string]types.AttributeValue, error) {
	if len(p.After) > longestCursor {
		return nil, ErrCursor
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(p.After)
	rest, known := bytes.CutPrefix(raw, b.fingerprint(p.Descending))
	if err != nil || !known || b.empty {
		return nil, ErrCursor
	}
	texts, ok := cutTexts(rest)
	unimplied := b.unimplied()
	if !ok || len(texts) != len(unimplied)+1 {
		return nil, ErrCursor
	}
	sk := b.prefix + texts[len(unimplied)]
	if !b.includes(sk) {
		return nil, ErrCursor
	}
	if b.on.index == Primary {
		return map[string]types.AttributeValue{
			b.on.pkName: &types.AttributeValueMemberS{Value: b.pk},
			b.on.skName: &types.AttributeValueMemberS{Value: sk},
		}, nil
	}
	key, ok := b.primaryKey(sk, unimplied, texts)
	if !ok {
		return nil, ErrCursor
	}
	start := key.item()
	start[b.on.pkName] = &types.AttributeValueMemberS{Value: b.pk}
	start[b.on.skName] = b.on.sortValue(sk, nil)
	return start, nil
}

// primaryKey puts the primary key together from the partition, the sort key and the
// texts of the slots that these do not imply.
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

// unimplied returns which slots of the primary key cannot be taken from the index key.
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

// slotNames are the slots of the primary key, in the order in which Key takes them.
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
