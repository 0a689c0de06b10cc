package operation

import (
	"context"
	"math"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// cost is what a selection may cost at most, counted once per document as far as it
// does not depend on variables: a sum that is known, and the fields whose arguments
// hold variables.
//
// The cost of a field is what the schema declares for it, else one more than the
// cost of what is selected below it.
type cost struct {
	known    int
	variable []*variableCost
}

// variableCost is a field whose own arguments, or those of a field below it, depend
// on variables.
type variableCost struct {
	field *ast.Field
	// types are the object types that the field may belong to; the dearest counts.
	types []string
	below cost
}

// coster counts costs for one schema.
type coster struct {
	schema graphql.ExecutableSchema
}

// maxCountedFields ends the count of a document whose fragments spread each other
// so often that counting alone would take too long. No honest document comes near.
const maxCountedFields = 50_000

// count is the counting of one operation.
type count struct {
	coster
	fields int
}

func (c coster) of(selections ast.SelectionSet) cost {
	counting := count{coster: c}
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
	v := &variableCost{field: field, types: c.typesOf(field.ObjectDefinition), below: c.of(field.SelectionSet)}
	if len(v.below.variable) > 0 || hasVariables(field.Arguments) {
		sum.variable = append(sum.variable, v)
		return
	}
	sum.known = saturate(sum.known, c.fieldCost(context.Background(), v, v.below.known, nil))
}

func (c coster) typesOf(owner *ast.Definition) []string {
	if owner.Kind != ast.Interface {
		return []string{owner.Name}
	}
	var names []string
	for _, t := range c.schema.Schema().GetPossibleTypes(owner) {
		names = append(names, t.Name)
	}
	return names
}

func (c coster) fieldCost(ctx context.Context, v *variableCost, below int, variables map[string]any) (dearest int) {
	var arguments map[string]any
	if len(v.field.Arguments) > 0 || len(v.field.Definition.Arguments) > 0 {
		arguments = v.field.ArgumentMap(variables)
	}
	for _, t := range v.types {
		n, declared := c.schema.Complexity(ctx, t, v.field.Name, below, arguments)
		if !declared || n < 1 {
			n = saturate(1, below)
		}
		dearest = max(dearest, n)
	}
	return dearest
}

// total is the cost with the variables of one request.
func (c coster) total(ctx context.Context, of cost, variables map[string]any) int {
	sum := of.known
	for _, v := range of.variable {
		sum = saturate(sum, c.fieldCost(ctx, v, c.total(ctx, v.below, variables), variables))
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
