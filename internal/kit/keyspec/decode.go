package keyspec

import (
	"fmt"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decode fills the T at p. Items read from a keys-only index are restored as far as their
// keys allow.
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
	return r.restore(from, p, func(number int) string { return keyText(item, r.keyNames[number]) })
}

// restore fills fields of the struct at p from the keys of an item: those that are stored
// nowhere else, or all of them if only keys were read. The item's key attributes are given
// by number.
func (r *row) restore(from *Index, p unsafe.Pointer, key func(number int) string) error {
	if !from.KeysOnly {
		return r.restoreFrom(r.hidden, p, true, key)
	}
	return r.restoreFrom([]*keys{r.primary, r.on(from)}, p, false, key)
}

func (r *row) restoreFrom(all []*keys, p unsafe.Pointer, onlyHidden bool, key func(number int) string) error {
	for _, k := range all {
		pk := key(k.numbers[0])
		if pk == "" {
			continue
		}
		err := k.pk.restore(k.pkSlots, pk, p, onlyHidden)
		if err == nil {
			err = k.sk.restore(k.skSlots, key(k.numbers[1]), p, onlyHidden)
		}
		if err != nil {
			return fmt.Errorf("%s on %s: %w", r, k.index.Name, err)
		}
	}
	return nil
}

// restore parses the slots of a key and fills their fields.
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

// upgraded returns the item in the current version. It copies items that must be converted.
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
