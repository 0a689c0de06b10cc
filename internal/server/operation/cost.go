package operation

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/page"
)

// limitArgument is the argument that identifies a field as a list.
const limitArgument = "limit"

// cost is the maximum cost of a selection. The part independent of variables is computed
// once per document: a known sum, and the fields whose arguments contain variables.
//
// A field costs one more than its selection. A list, which is a field with an argument
// `limit`, multiplies the cost of its selection by its maximum length.
type cost struct {
	known    int
	variable []*variableCost
}

// variableCost is a field that depends on variables, in its own arguments or in those of a
// field below it.
type variableCost struct {
	field *ast.Field
	surcharge
	below cost
}

// surcharge is the price of a field in addition to its selection: once, and for each object
// of a list.
type surcharge struct{ once, each int }

// free is the surcharge where only fields count.
func free(*ast.Field) surcharge { return surcharge{} }

// maxCountedFields aborts counting a document whose fragments spread each other so often
// that counting alone would take too long. Regular documents are far below it.
const maxCountedFields = 20_000

// count is the counting of the operations of one document.
type count struct {
	surcharge func(*ast.Field) surcharge
	// fields is the number of fields counted so far, variable that of those whose cost
	// depends on variables.
	fields, variable int
}

// costOf returns the cost of an operation with a selection.
func (c *count) costOf(selections ast.SelectionSet) cost {
	sum := c.of(selections)
	if c.fields > maxCountedFields {
		return cost{known: math.MaxInt}
	}
	return sum
}

func (c *count) of(selections ast.SelectionSet) (sum cost) {
	for _, selection := range selections {
		if c.fields > maxCountedFields {
			return sum
		}
		switch s := selection.(type) {
		case *ast.Field:
			c.fields++
			c.addField(&sum, s)
		case *ast.InlineFragment:
			sum.add(c.of(s.SelectionSet))
		case *ast.FragmentSpread:
			sum.add(c.of(s.Definition.SelectionSet))
		}
	}
	return sum
}

func (c *count) addField(sum *cost, field *ast.Field) {
	if field.Name == "__schema" || field.Name == "__type" {
		return // answered from memory, with a limit of its own
	}
	v := &variableCost{field: field, surcharge: c.surcharge(field), below: c.of(field.SelectionSet)}
	if len(v.below.variable) > 0 || gqlplan.HasVariables(field.Arguments) {
		sum.variable = append(sum.variable, v)
		c.variable++
		return
	}
	sum.known = saturate(sum.known, v.cost(v.below.known, nil))
}

// cost returns the cost of the field, given the cost of one item below it.
func (v *variableCost) cost(below int, variables map[string]any) int {
	if v.field.Definition.Arguments.ForName(limitArgument) == nil {
		return saturate(1+v.once, below)
	}
	size := sizeOf(v.field.ArgumentMap(variables)[limitArgument])
	if below = saturate(below, v.each); below > math.MaxInt/size {
		return math.MaxInt
	}
	return saturate(1+v.once, size*below)
}

// sizeOf returns the maximum length of a list with a limit. A limit that will be refused
// counts as the maximum, so that it cannot hide costs.
func sizeOf(limit any) int {
	switch n := limit.(type) {
	case nil:
		return page.Default
	case int64:
		if 1 <= n && n <= page.Max {
			return int(n)
		}
	case int:
		if 1 <= n && n <= page.Max {
			return n
		}
	}
	return page.Max
}

// total returns the cost with the variables of one request.
func (c cost) total(variables map[string]any) int {
	sum := c.known
	for _, v := range c.variable {
		sum = saturate(sum, v.cost(v.below.total(variables), variables))
	}
	return sum
}

func (c *cost) add(other cost) {
	c.known = saturate(c.known, other.known)
	c.variable = append(c.variable, other.variable...)
}

// saturate adds without overflow.
func saturate(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
