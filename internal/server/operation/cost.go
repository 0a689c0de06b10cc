package operation

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/page"
)

// limitArgument is the argument by which a field is known to be a list.
const limitArgument = "limit"

// cost is what a selection may cost at most, counted once per document as far as it
// does not depend on variables: a sum that is known, and the fields whose arguments
// hold variables.
//
// A field costs one more than what is selected below it. A list, which is a field with an
// argument `limit`, may hold that many times what is selected below.
type cost struct {
	known    int
	variable []*variableCost
}

// variableCost is a field whose own arguments, or those of a field below it, depend
// on variables.
type variableCost struct {
	field *ast.Field
	below cost
}

// maxCountedFields ends the count of a document whose fragments spread each other
// so often that counting alone would take too long. No honest document comes near.
const maxCountedFields = 50_000

// count is the counting of one operation.
type count struct{ fields int }

func costOf(selections ast.SelectionSet) cost {
	counting := count{}
	sum := counting.of(selections)
	if counting.fields > maxCountedFields {
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
		return // answered from memory and bounded by a rule of its own
	}
	v := &variableCost{field: field, below: c.of(field.SelectionSet)}
	if len(v.below.variable) > 0 || hasVariables(field.Arguments) {
		sum.variable = append(sum.variable, v)
		return
	}
	sum.known = saturate(sum.known, v.cost(v.below.known, nil))
}

// cost is what the field costs when one of what is below it costs so much.
func (v *variableCost) cost(below int, variables map[string]any) int {
	if v.field.Definition.Arguments.ForName(limitArgument) == nil {
		return saturate(1, below)
	}
	size := sizeOf(v.field.ArgumentMap(variables)[limitArgument])
	if below > math.MaxInt/size {
		return math.MaxInt
	}
	return saturate(1, size*below)
}

// sizeOf is the most that a list may hold with a limit. One that will be refused counts as
// the largest, so that it cannot hide what it would cost.
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

// total is the cost with the variables of one request.
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

// saturate adds without overflow, so that no sum is large enough to look small.
func saturate(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func hasVariables(arguments ast.ArgumentList) bool {
	for _, argument := range arguments {
		if valueHasVariables(argument.Value) {
			return true
		}
	}
	return false
}

func valueHasVariables(value *ast.Value) bool {
	if value.Kind == ast.Variable {
		return true
	}
	for _, child := range value.Children {
		if valueHasVariables(child.Value) {
			return true
		}
	}
	return false
}
