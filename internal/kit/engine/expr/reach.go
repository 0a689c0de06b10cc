package expr

import (
	"slices"

	"stoa/internal/kit/engine/value"
)

// CheckNested returns an error for paths into a key attribute of the table or of one of its
// indexes, because those are scalars.
func (p *Program) CheckNested(keys, indexKeys []string) error {
	for _, b := range p.each() {
		if err := b.checkNested(keys, indexKeys); err != nil {
			return err
		}
	}
	return nil
}

// FilterNames returns the top-level attributes that the filter refers to, sorted and
// without duplicates.
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

// CheckNestedProjection and CheckNestedFilter are CheckNested for one expression, for
// requests with other checks between the two.
func (p *Program) CheckNestedProjection(keys, indexKeys []string) error {
	return p.projection.checkNested(keys, indexKeys)
}

func (p *Program) CheckNestedFilter(keys, indexKeys []string) error {
	return p.filter.checkNested(keys, indexKeys)
}

func (b *bound) checkNested(keys, indexKeys []string) error {
	name, found := b.nestedAmong(keys)
	member := "Key"
	if !found {
		name, found = b.nestedAmong(indexKeys)
		member = "IndexKey"
	}
	if !found {
		return nil
	}
	return value.Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", member, name)
}

// nestedAmong returns the first of names that a path leads into.
func (b *bound) nestedAmong(names []string) (string, bool) {
	if !b.reaches(func(at path) bool { return len(at) > 1 }) {
		return "", false
	}
	for _, name := range names {
		if b.reaches(func(at path) bool { return len(at) > 1 && b.name(&at[0]) == name }) {
			return name, true
		}
	}
	return "", false
}

// reaches reports whether wanted returns true for any path of the expression.
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
