package engine

import (
	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/value"
)

// An update that gives an index's key a value which no key can have is refused: as far
// as the request tells before anything is read, otherwise when the value is known.

// checkAssignedTypes judges the types that an update gives to keys of t's indexes
// whatever the item is.
func (t *table) checkAssignedTypes(p *expr.Program) error {
	for _, x := range t.indexes {
		for _, a := range []catalog.Attribute{x.key.Hash, x.key.Sort} {
			if is := p.AssignedType(a.Name); is != "" && is != string(a.Type) {
				return errIndexKeyType(x, a, is)
			}
		}
	}
	return nil
}

func errIndexKeyType(x *index, a catalog.Attribute, is string) error {
	return invalid(invalidValues+"Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, is, x.Name)
}

// checkUpdatedKeys judges what an update has made of the keys of t's indexes. Others,
// which may be older than the index, are left alone.
func (t *table) checkUpdatedKeys(p *expr.Program, item Item) error {
	for _, x := range t.indexes {
		for i, a := range []catalog.Attribute{x.key.Hash, x.key.Sort} {
			if v, ok := item[a.Name]; ok && a.Name != "" && p.Updates(a.Name) {
				if err := checkUpdatedKey(a, i == 0, value.TypeOf(v), scalarLength(v)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkUpdatedKey judges a value for a key by its type and its length in bytes.
func checkUpdatedKey(a catalog.Attribute, isHash bool, is string, n int) error {
	longest := value.MaxSortKeySize
	if isHash {
		longest = value.MaxHashKeySize
	}
	switch {
	case is != string(a.Type):
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
