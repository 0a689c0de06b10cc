package keyspec

import (
	"errors"
	"fmt"
	"slices"

	"stoa/internal/kit/engine/raw"
)

// stamps appends the key attributes that a change updates, and absent values for those it
// removes.
func (a *action) stamps(dst []raw.Field) ([]raw.Field, error) {
	for _, s := range a.sets {
		if a.row.primary.needs(s.field) {
			return nil, fmt.Errorf("keyspec: %s: %q is part of the primary key", a.key, s.field.name)
		}
	}
	if err := a.tellKey(); err != nil {
		return nil, err
	}
	for _, k := range a.row.keys[1:] {
		if !slices.ContainsFunc(a.sets, func(s assignment) bool { return k.needs(s.field) }) {
			continue
		}
		var unknown error
		text := func(f *field) string {
			text, ok := a.known(f)
			if !ok {
				unknown = errors.Join(unknown, fmt.Errorf("keyspec: %s: the key on %s also needs %q: tell it with Given", a.key, k.index.Name, f.name))
			}
			return text
		}
		pk, sk, present, err := k.from(text)
		if err := errors.Join(err, unknown); err != nil {
			return nil, err
		}
		inPK, inSK := raw.Field{Name: k.pkName}, raw.Field{Name: k.skName}
		if present {
			inPK.Kind, inPK.Text, inSK.Kind, inSK.Text = raw.Text, pk, raw.Text, sk
			if k.numeric() {
				inSK.Kind = raw.Number
			}
		}
		dst = a.stamp(a.stamp(slices.Grow(dst, 2), inPK), inSK)
	}
	return dst, nil
}

// stamp appends a key attribute, or replaces it if it was already appended. It skips those
// that are also attributes of the struct, which are set as such, and those of the table's
// own key. An index may have no sort key.
func (a *action) stamp(dst []raw.Field, f raw.Field) []raw.Field {
	if f.Name == "" || a.row.codec.byName[f.Name] != nil || f.Name == a.row.table.PK || f.Name == a.row.table.SK {
		return dst
	}
	if i := slices.IndexFunc(dst, func(g raw.Field) bool { return g.Name == f.Name }); i >= 0 {
		dst[i] = f
		return dst
	}
	return append(dst, f)
}

// tellKey makes the slots of the primary key known.
func (a *action) tellKey() error {
	if len(a.sets) == 0 {
		return nil
	}
	tell := func(slots []*slot) func(i int, value string) {
		return func(i int, value string) {
			if s := slots[i]; s.part == nil {
				a.tell(s.field, value)
			}
		}
	}
	k := a.row.primary
	if !k.pk.match(a.key.pk, tell(k.pkSlots)) || !k.sk.match(a.key.sk, tell(k.skSlots)) {
		return fmt.Errorf("keyspec: %s does not fit the templates of its row", a.key)
	}
	return nil
}
