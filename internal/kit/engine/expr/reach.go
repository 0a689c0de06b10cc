package expr

import (
	"slices"

	"stoa/internal/kit/engine/value"
)

// CheckNested refuses paths that lead below a key attribute of the table or of
// one of its indexes: those are scalars.
func (p *Program) CheckNested(keys, indexKeys []string) error {
	for _, b := range p.each() {
		name, found := b.nestedAmong(keys)
		member := "Key"
		if !found {
			name, found = b.nestedAmong(indexKeys)
			member = "IndexKey"
		}
		if found {
			return value.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", member, name)
		}
	}
	return nil
}

// FilterNames returns the top-level attributes that the filter mentions, each
// once, ordered by name.
func (p *Program) FilterNames() []string {
	var names []string
	b := &p.filter
	b.reaches(func(at path) bool {
		names = append(names, b.name(&at[0]))
		return false
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// nestedAmong returns the first of names that a path leads below.
func (b *bound) nestedAmong(names []string) (string, bool) {
	var name string
	found := b.reaches(func(at path) bool {
		name = b.name(&at[0])
		return len(at) > 1 && slices.Contains(names, name)
	})
	return name, found
}

// reaches reports whether any path of the expression is wanted. It stops at the
// first that is.
func (b *bound) reaches(wanted func(path) bool) bool {
	if b.tree == nil {
		return false
	}
	for _, at := range b.paths {
		if wanted(at) {
			return true
		}
	}
	for _, a := range b.actions {
		if operandsReach(wanted, a.value) {
			return true
		}
	}
	return conditionReaches(wanted, b.condition)
}

func conditionReaches(wanted func(path) bool, c condition) bool {
	switch c := c.(type) {
	case *logical:
		return conditionReaches(wanted, c.left) || conditionReaches(wanted, c.right)
	case *negation:
		return conditionReaches(wanted, c.of)
	case *comparison:
		return operandsReach(wanted, c.left, c.right)
	case *between:
		return operandsReach(wanted, c.operand, c.low, c.high)
	case *membership:
		return operandsReach(wanted, c.operand) || operandsReach(wanted, c.list...)
	case *call:
		return operandsReach(wanted, c.operands...)
	}
	return false
}

func operandsReach(wanted func(path) bool, operands ...operand) bool {
	for _, o := range operands {
		found := false
		switch o := o.(type) {
		case path:
			found = wanted(o)
		case *call:
			found = operandsReach(wanted, o.operands...)
		case *arithmetic:
			found = operandsReach(wanted, o.left, o.right)
		}
		if found {
			return true
		}
	}
	return false
}
