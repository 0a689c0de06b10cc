package keyspec

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// keys is one compiled pair of key templates. For the table's primary key, the index is
// Primary.
type keys struct {
	index          *Index
	number         bool // the sort key is a number
	pkName, skName string
	pk, sk         *template
	when           guard
	// numbers are the numbers of the two key attributes in the row.
	numbers [2]int
	// pkSlots and skSlots are the sources of the templates' slots.
	pkSlots, skSlots []*slot
	// overlaps reports whether items of another row can be among those of this one. It is
	// computed on first use, when all rows have been defined.
	overlaps func() bool
}

func (k *keys) numeric() bool { return k.number }

func (r *row) compileKeys(ix *Index, pkName, skName string, declared Keys) (*keys, error) {
	pk, err := parseTemplate(declared.PK, r.table.separator(), maxPartitionKey)
	if err != nil {
		return nil, err
	}
	sk := template{literals: []string{""}, separator: r.table.separator(), size: maxSortKey}
	switch {
	case skName != "":
		if sk, err = parseTemplate(declared.SK, r.table.separator(), maxSortKey); err != nil {
			return nil, err
		}
	case declared.SK != "":
		return nil, fmt.Errorf("template %q: there is no sort key", declared.SK)
	}
	sk.strict = len(r.spec.Overlaps) > 0
	number := ix.Number || ix == Primary && r.table.Number
	k := &keys{index: ix, number: number, pkName: pkName, skName: skName, pk: &pk, sk: &sk, when: declared.when}
	k.overlaps = sync.OnceValue(func() bool { return r.overlapsOn(k) })
	if k.pkSlots, err = r.slotsOf(&pk, false); err != nil {
		return nil, err
	}
	if k.skSlots, err = r.slotsOf(&sk, number && skName != ""); err != nil {
		return nil, err
	}
	if number && (len(sk.slots) != 1 || sk.literals[0]+sk.literals[1] != "") {
		return nil, fmt.Errorf("template %q: a number key is a lone slot", sk.text)
	}
	if c := &k.when; c.attribute != "" {
		if c.field = r.codec.byName[c.attribute]; c.field == nil || !c.field.isText {
			return nil, fmt.Errorf("condition on %q, which is no text attribute of %s", c.attribute, r.codec.typ)
		}
	}
	return k, errors.Join(r.checkName(pkName, &pk), r.checkName(skName, &sk))
}

// checkName returns an error if a key attribute is also an attribute of the struct, unless
// the key is exactly that attribute.
func (r *row) checkName(name string, t *template) error {
	f := r.codec.byName[name]
	if f == nil || t.text == "{"+name+"}" && !f.keyOnly {
		return nil
	}
	return fmt.Errorf("attribute %q is also a key attribute, so its template must be {%s}", name, name)
}

func (r *row) slotsOf(t *template, number bool) ([]*slot, error) {
	var slots []*slot
	for _, name := range t.slots {
		s, err := r.slotNamed(name)
		if err != nil {
			return nil, fmt.Errorf("template %q: %w", t.text, err)
		}
		if s.number != number {
			if number {
				return nil, fmt.Errorf("template %q: {%s} of a number key must be a number", t.text, name)
			}
			return nil, fmt.Errorf("template %q: {%s} is a number, which does not sort as text", t.text, name)
		}
		slots = append(slots, s)
	}
	return slots, nil
}

// of returns the keys of the item at p. They are absent if its guard is not satisfied or a
// required attribute is absent.
func (k *keys) of(p unsafe.Pointer) (pk, sk string, present bool, err error) {
	return k.from(func(f *field) string { return f.text(p) })
}

// from returns the keys for given texts of attributes.
func (k *keys) from(text func(*field) string) (pk, sk string, present bool, err error) {
	var buf [typicalKey]byte
	made, cut, present, err := k.append(buf[:0], text)
	if !present {
		return "", "", false, err
	}
	both := string(made)
	return both[:cut], both[cut:], true, nil
}

// append appends the partition key and the sort key, which starts at cut, or nothing if
// they are absent.
func (k *keys) append(dst []byte, text func(*field) string) (_ []byte, cut int, present bool, err error) {
	if k.when.field != nil && !k.when.passes(text(k.when.field)) {
		return dst, 0, false, nil
	}
	at := len(dst)
	dst, present, err = k.pk.append(dst, len(k.pkSlots), func(i int) string { return k.pkSlots[i].in(text) })
	if !present {
		return dst[:at], 0, false, err
	}
	cut = len(dst)
	dst, present, err = k.sk.append(dst, len(k.skSlots), func(i int) string { return k.skSlots[i].in(text) })
	if !present {
		return dst[:at], 0, false, err
	}
	return dst, cut, true, nil
}

func (k *keys) sortValue(sk string, s *slab) types.AttributeValue {
	if k.numeric() {
		return &types.AttributeValueMemberN{Value: sk}
	}
	return s.text(sk)
}

// holds reports whether the value of f can be restored from the keys.
func (k *keys) holds(f *field) bool {
	is := func(s *slot) bool { return s.field == f && s.part == nil }
	return slices.ContainsFunc(k.pkSlots, is) || slices.ContainsFunc(k.skSlots, is)
}

// needs reports whether the key depends on f.
func (k *keys) needs(f *field) bool {
	is := func(s *slot) bool { return s.field == f }
	return k.when.field == f || slices.ContainsFunc(k.pkSlots, is) || slices.ContainsFunc(k.skSlots, is)
}

// uses reports whether any key of the row depends on f.
func (r *row) uses(f *field) bool {
	return slices.ContainsFunc(r.keys, func(k *keys) bool { return k.needs(f) })
}
