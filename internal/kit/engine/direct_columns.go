package engine

import (
	"slices"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

// Keys inside items are judged by their columns, which are found in one walk.

// checkKeyColumns judges the key inside an item that is to be put.
func (t *table) checkKeyColumns(columns []itemcodec.Value) error {
	for i, a := range [...]catalog.Attribute{t.key.Hash, t.key.Sort} {
		if a.Name == "" {
			continue
		}
		v := columns[[...]int{t.places.hash, t.places.sort}[i]]
		switch {
		case v.Kind() == 0:
			return errKeyMissing(a)
		case v.Kind() != kindOf(a.Type):
			return errKeyType(a, value.TypeOf(v.SDK()))
		}
		if err := checkKeyLength(a, i == 0, keyLength(v)); err != nil {
			return err
		}
	}
	return nil
}

// checkIndexColumns judges what an item would put into the keys of indexes, as
// checkIndexKeys does.
func (t *table) checkIndexColumns(columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, place := range [...]int{x.places.hash, x.places.sort} {
			if place < 0 || columns[place].Kind() == 0 {
				continue
			}
			a, v := [...]catalog.Attribute{x.key.Hash, x.key.Sort}[i], columns[place]
			if v.Kind() == kindOf(a.Type) && keyLength(v) > 0 && keyLength(v) <= value.MaxSortKeySize {
				continue
			}
			if err := x.checkKey(a, i == 0, value.TypeOf(v.SDK()), keyLength(v)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAssignedColumns judges the types that an update gives to keys of indexes, as
// checkAssignedTypes does.
func (t *table) checkAssignedColumns(d *directChange) error {
	for _, x := range t.indexes {
		for _, a := range [...]catalog.Attribute{x.key.Hash, x.key.Sort} {
			if is := d.assigns(a.Name); is != "" && is != string(a.Type) {
				return errIndexKeyType(x, a, is)
			}
		}
	}
	return nil
}

// assigns returns the type that d gives an attribute, "" when it gives none.
func (d *directChange) assigns(name string) string {
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Name == name {
			switch f.Form {
			case itemcodec.Removed:
				return ""
			case itemcodec.Other:
				return value.TypeOf(f.Value)
			}
			return [...]string{itemcodec.Text: "S", itemcodec.Decimal: "N", itemcodec.True: "BOOL", itemcodec.False: "BOOL"}[f.Form]
		}
	}
	if slices.ContainsFunc(d.Shifts, func(s Shift) bool { return s.Name == name }) {
		return "N"
	}
	return ""
}

// checkUpdatedColumns judges what an update has made of the keys of indexes, as
// checkUpdatedKeys does.
func (t *table) checkUpdatedColumns(d *directChange, columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, place := range [...]int{x.places.hash, x.places.sort} {
			if place < 0 || columns[place].Kind() == 0 {
				continue
			}
			a, v := [...]catalog.Attribute{x.key.Hash, x.key.Sort}[i], columns[place]
			if is := d.assigns(a.Name); is != "" {
				if err := checkUpdatedKey(a, i == 0, is, keyLength(v)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keyLength returns the bytes of a text or binary; a number always has an acceptable
// length.
func keyLength(v itemcodec.Value) int {
	if v.Kind() == itemcodec.Number {
		return 1
	}
	return len(v.Bytes())
}
