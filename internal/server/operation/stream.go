package operation

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// singleStream refuses subscriptions with more than one stream, independently of variables.
// The library's rule distinguishes fields by name only: it admits one field under two
// aliases, which fails only during execution.
func singleStream(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(walker *core.Walker, operation *ast.OperationDefinition) {
		if operation.Operation == ast.Subscription {
			s := streams{fragments: walker.Document.Fragments, spread: map[string]bool{}, addError: addError}
			s.visit(operation.SelectionSet)
		}
	})
}

// streams are the root fields of a subscription.
type streams struct {
	fragments ast.FragmentDefinitionList
	// spread holds visited fragments; cycles are reported by another rule.
	spread   map[string]bool
	first    *ast.Field
	addError core.AddErrFunc
}

func (s *streams) visit(selections ast.SelectionSet) {
	for _, selection := range selections {
		var directives ast.DirectiveList
		switch selection := selection.(type) {
		case *ast.Field:
			directives = selection.Directives
			s.field(selection)
		case *ast.InlineFragment:
			directives = selection.Directives
			s.visit(selection.SelectionSet)
		case *ast.FragmentSpread:
			directives = selection.Directives
			if fragment := s.fragments.ForName(selection.Name); fragment != nil && !s.spread[selection.Name] {
				s.spread[selection.Name] = true
				s.visit(fragment.SelectionSet)
			}
		}
		if directives.ForName("skip") != nil || directives.ForName("include") != nil {
			s.addError(core.Message("a subscription selects its stream without conditions: leave @skip and @include out"), core.At(selection.GetPosition()))
		}
	}
}

func (s *streams) field(f *ast.Field) {
	switch {
	case strings.HasPrefix(f.Name, "__"):
		s.addError(core.Message("a subscription selects a stream, which `%s` is not", f.Name), core.At(f.Position))
	case s.first == nil:
		s.first = f
	case s.first.Alias != f.Alias:
		s.addError(core.Message("a subscription selects one stream: send `%s` as a subscription of its own", f.Alias), core.At(f.Position))
	}
}
