package engine

import (
	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// Keys within items are validated by their columns: the values of all key attributes, which
// one pass over the stored form of an item finds.

// checkItemKey validates the key in an item to put. The error is a *keyMismatch if an
// attribute is missing or has the wrong type.
func (t *table) checkItemKey(columns []itemcodec.Value) error {
	for i, a := range [...]catalog.Attribute{t.key.Hash, t.key.Sort} {
		if a.Name == "" {
			continue
		}
		switch v := columns[t.places.at(i)]; {
		case v.Kind() == 0:
			return errKeyMissing(a)
		case v.Kind() != kindOf(a.Type):
			return errKeyType(a, value.TypeOf(v.SDK()))
		}
	}
	for i, a := range [...]catalog.Attribute{t.key.Hash, t.key.Sort} {
		if a.Name == "" {
			continue
		}
		if err := checkKeyLength(a, i == 0, keyLength(columns[t.places.at(i)])); err != nil {
			return err
		}
	}
	return nil
}

// checkIndexKeys validates the attributes of an item to put that are keys of indexes.
// Absent attributes are valid: they exclude the item from the index.
func (t *table) checkIndexKeys(columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, a := range [...]catalog.Attribute{x.key.Hash, x.key.Sort} {
			place := x.places.at(i)
			if place < 0 || columns[place].Kind() == 0 {
				continue
			}
			if err := x.checkKey(a, i == 0, columns[place]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKey validates a value for a key of x.
func (x *index) checkKey(a catalog.Attribute, isHash bool, v itemcodec.Value) error {
	length := keyLength(v)
	switch {
	case v.Kind() != kindOf(a.Type):
		return errIndexKeyType(x, a, value.TypeOf(v.SDK()))
	case length == 0:
		return invalid("One or more parameter values are not valid. A value specified for a secondary index key "+
			"is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. "+
			"IndexName: %s, IndexKey: %s", emptyKind(a.Type), x.Name, a.Name)
	case isHash && length > value.MaxHashKeySize:
		return errHashKeyLength()
	case !isHash && length > value.MaxSortKeySize:
		return errSortKeyLength()
	}
	return nil
}

// checkAssignedTypes validates the types that an update gives to keys of indexes, as far as
// they are known before anything is read.
func (t *table) checkAssignedTypes(c *change) error {
	for _, x := range t.indexes {
		for _, a := range [...]catalog.Attribute{x.key.Hash, x.key.Sort} {
			if is := c.assignedType(a.Name); is != "" && is != string(a.Type) {
				return errIndexKeyType(x, a, is)
			}
		}
	}
	return nil
}

// checkUpdatedKeys validates the keys of indexes after an update. Unchanged key attributes,
// which may be older than their index, are not checked.
func (t *table) checkUpdatedKeys(c *change, columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i, a := range [...]catalog.Attribute{x.key.Hash, x.key.Sort} {
			place := x.places.at(i)
			if place < 0 || columns[place].Kind() == 0 || !c.updates(a.Name) {
				continue
			}
			if err := checkUpdatedKey(a, i == 0, columns[place]); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkUpdatedKey(a catalog.Attribute, isHash bool, v itemcodec.Value) error {
	longest := value.MaxSortKeySize
	if isHash {
		longest = value.MaxHashKeySize
	}
	switch n := keyLength(v); {
	case v.Kind() != kindOf(a.Type):
		return invalid("The update expression attempted to update the secondary index key to unsupported type")
	case n == 0:
		return invalid("One or more parameter values are not valid. The update expression attempted to update a secondary "+
			"index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.",
			emptyKind(a.Type))
	case n > longest:
		return invalid("The update expression attempted to update the secondary index key beyond allowed size limits")
	}
	return nil
}

func errIndexKeyType(x *index, a catalog.Attribute, is string) error {
	return invalid(invalidValues+"Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, is, x.Name)
}

// assigns returns the type that w gives to an attribute, or "" if it does not set it.
func (w *rawChange) assigns(name string) string {
	for i := range w.Fields {
		f := &w.Fields[i]
		if f.Name != name {
			continue
		}
		switch f.Kind {
		case raw.Text:
			return "S"
		case raw.Number:
			return "N"
		case raw.True, raw.False:
			return "BOOL"
		case raw.Other:
			return value.TypeOf(f.Value)
		}
		return ""
	}
	for i := range w.Shifts {
		if w.Shifts[i].Name == name {
			return "N"
		}
	}
	return ""
}

// keyLength returns the number of bytes of a text or binary; the length of numbers is
// always valid.
func keyLength(v itemcodec.Value) int {
	if v.Kind() == itemcodec.Number {
		return 1
	}
	return len(v.Bytes())
}
