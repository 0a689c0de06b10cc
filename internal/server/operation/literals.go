package operation

import (
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/server/wire"
)

// Numbers of a document that neither an int64 nor a float64 can represent become strings
// where the schema has a custom scalar: 1.999 with forty nines is not 2. Before the
// document is validated, which determines types, out-of-range numbers are made parseable:
// integers as fractions, others as strings, which no Float or Int accepts.

func holdNumber(v *ast.Value) {
	switch v.Kind {
	case ast.IntValue:
		if _, err := strconv.ParseInt(v.Raw, 10, 64); err != nil {
			v.Kind = ast.FloatValue
			holdNumber(v)
		}
	case ast.FloatValue:
		if _, err := strconv.ParseFloat(v.Raw, 64); err != nil {
			v.Kind = ast.StringValue
		}
	}
}

// keepNumber handles a value of a validated document.
func keepNumber(v *ast.Value) {
	number := v.Kind == ast.IntValue || v.Kind == ast.FloatValue
	if number && !wire.Exact(v.Raw) && v.Definition != nil && !v.Definition.OneOf("Int", "Float") {
		v.Kind = ast.StringValue
	}
}

// eachValue calls f with every value in a document.
func eachValue(document *ast.QueryDocument, f func(*ast.Value)) {
	for _, o := range document.Operations {
		for _, v := range o.VariableDefinitions {
			within(v.DefaultValue, f)
		}
		eachValueOf(o.SelectionSet, o.Directives, f)
	}
	for _, fragment := range document.Fragments {
		eachValueOf(fragment.SelectionSet, fragment.Directives, f)
	}
}

func eachValueOf(selections ast.SelectionSet, directives ast.DirectiveList, f func(*ast.Value)) {
	for _, d := range directives {
		for _, a := range d.Arguments {
			within(a.Value, f)
		}
	}
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			for _, a := range s.Arguments {
				within(a.Value, f)
			}
			eachValueOf(s.SelectionSet, s.Directives, f)
		case *ast.InlineFragment:
			eachValueOf(s.SelectionSet, s.Directives, f)
		case *ast.FragmentSpread:
			eachValueOf(nil, s.Directives, f)
		}
	}
}

func within(v *ast.Value, f func(*ast.Value)) {
	if v == nil {
		return
	}
	f(v)
	for _, child := range v.Children {
		within(child.Value, f)
	}
}
