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
	for _, p := range t.parts {
		switch v := columns[p.column]; {
		case v.Kind() == 0:
			return errKeyMissing(p.Attribute)
		case v.Kind() != kindOf(p.Type):
			return errKeyType(p.Attribute, value.TypeOf(v.SDK()))
		}
	}
	for _, p := range t.parts {
		if err := p.checkLength(keyLength(columns[p.column])); err != nil {
			return err
		}
	}
	return nil
}

// checkIndexKeys validates the attributes of an item to put that are keys of indexes.
// Absent attributes are valid: they exclude the item from the index.
func (t *table) checkIndexKeys(columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i := range x.parts {
			p := &x.parts[i]
			if columns[p.column].Kind() == 0 {
				continue
			}
			if err := x.checkKey(p, columns[p.column]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkKey validates a value for a part of the key of x.
func (x *index) checkKey(p *keyPart, v itemcodec.Value) error {
	length := keyLength(v)
	switch {
	case v.Kind() != kindOf(p.Type):
		return errIndexKeyType(x, p.Attribute, value.TypeOf(v.SDK()))
	case length == 0:
		return invalid("One or more parameter values are not valid. A value specified for a secondary index key "+
			"is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. "+
			"IndexName: %s, IndexKey: %s", emptyKind(p.Type), x.Name, p.Name)
	}
	return p.checkLength(length)
}

// checkAssignedTypes validates the types that an update gives to keys of indexes, as far as
// they are known before anything is read.
func (t *table) checkAssignedTypes(c *change) error {
	for _, x := range t.indexes {
		for _, p := range x.parts {
			if is := c.assignedType(p.Name); is != "" && is != string(p.Type) {
				return errIndexKeyType(x, p.Attribute, is)
			}
		}
	}
	return nil
}

// checkUpdatedKeys validates the keys of indexes after an update. Unchanged key attributes,
// which may be older than their index, are not checked.
func (t *table) checkUpdatedKeys(c *change, columns []itemcodec.Value) error {
	for _, x := range t.indexes {
		for i := range x.parts {
			p := &x.parts[i]
			if columns[p.column].Kind() == 0 || !c.updates(p.Name) {
				continue
			}
			if err := p.checkUpdated(columns[p.column]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *keyPart) checkUpdated(v itemcodec.Value) error {
	n := keyLength(v)
	switch {
	case v.Kind() != kindOf(p.Type):
		return invalid("The update expression attempted to update the secondary index key to unsupported type")
	case n == 0:
		return invalid("One or more parameter values are not valid. The update expression attempted to update a secondary "+
			"index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.",
			emptyKind(p.Type))
	case p.checkLength(n) != nil:
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
