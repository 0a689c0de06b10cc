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
		observers.OnOperation(func(walker *core.Walker, operation *ast.OperationDefinition) {
			d := depths{fragments: walker.Document.Fragments, known: map[string]int{}}
			if depth := d.of(operation.SelectionSet); depth > max {
				addError(
					core.Message("fields nest %d levels deep, at most %d are allowed: ask for the inner parts separately", depth, max),
					core.At(operation.Position),
				)
			}
		})
	}}
}

// depths caches each fragment's depth, so that fragments spread several times are visited
// once. A fragment being visited counts as 0; cycles and unknown fragments are reported by
// other rules.
type depths struct {
	fragments ast.FragmentDefinitionList
	known     map[string]int
}

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
			depth = d.ofFragment(s.Name)
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

func (d depths) ofFragment(name string) int {
	depth, known := d.known[name]
	if known {
		return depth
	}
	d.known[name] = 0
	if fragment := d.fragments.ForName(name); fragment != nil {
		depth = d.of(fragment.SelectionSet)
		d.known[name] = depth
	}
	return depth
}
