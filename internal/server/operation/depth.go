package operation

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// depthRule refuses operations whose fields nest deeper than max. Introspection is exempt:
// it has its own limit, and the standard query nests deep.
func depthRule(max int) core.Rule {
	return core.Rule{Name: "MaxDepth", RuleFunc: func(observers *core.Events, addError core.AddErrFunc) {
		observers.OnOperation(func(_ *core.Walker, operation *ast.OperationDefinition) {
			if depth := (depths{}).of(operation.SelectionSet); depth > max {
				addError(
					core.Message("fields nest %d levels deep, at most %d are allowed: ask for the inner parts separately", depth, max),
					core.At(operation.Position),
				)
			}
		})
	}}
}

// depths caches each fragment's depth, so that fragments spread several times are visited
// once. A fragment being visited counts as 0, as do unknown ones, which another rule
// reports.
type depths map[*ast.FragmentDefinition]int

func (d depths) of(selections ast.SelectionSet) (deepest int) {
	for _, selection := range selections {
		depth := 0
		switch s := selection.(type) {
		case *ast.Field:
			if strings.HasPrefix(s.Name, "__") {
				continue
			}
			depth = 1 + d.of(s.SelectionSet)
		case *ast.InlineFragment:
			depth = d.of(s.SelectionSet)
		case *ast.FragmentSpread:
			depth = d.ofFragment(s.Definition)
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

func (d depths) ofFragment(f *ast.FragmentDefinition) int {
	if f == nil {
		return 0
	}
	if _, known := d[f]; !known {
		d[f] = 0
		d[f] = d.of(f.SelectionSet)
	}
	return d[f]
}
