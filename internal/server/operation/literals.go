package operation

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/server/wire"
)

// Numbers of a document that neither an int64 nor a float64 can represent keep their text
// where the schema has a custom scalar: 1.999 with forty nines is not 2. Before the document
// is validated, which determines types, out-of-range numbers are made parseable: integers as
// fractions, others as strings, which no Float or Int accepts. Afterwards each becomes a
// variable of its own, whose value is a json.Number: in a scalar of any JSON, a number is not
// a text.
type numbers struct {
	held   []*ast.Value
	values map[string]any
}

func (n *numbers) hold(v *ast.Value) {
	switch v.Kind {
	case ast.IntValue:
		if _, err := strconv.ParseInt(v.Raw, 10, 64); err != nil {
			v.Kind = ast.FloatValue
			n.hold(v)
		}
	case ast.FloatValue:
		if _, err := strconv.ParseFloat(v.Raw, 64); err != nil {
			v.Kind = ast.StringValue
			n.held = append(n.held, v)
		}
	}
}

// keep handles a value of a validated document. Those within a scalar have no definition.
func (n *numbers) keep(v *ast.Value) {
	number := v.Kind == ast.IntValue || v.Kind == ast.FloatValue
	if number && !wire.Exact(v.Raw) && (v.Definition == nil || !v.Definition.OneOf("Int", "Float")) {
		v.Kind = ast.StringValue
		n.held = append(n.held, v)
	}
}

// bind makes variables of what was held, besides texts. No client can declare their names.
func (n *numbers) bind() {
	for i, v := range n.held {
		if v.Definition != nil && v.Definition.BuiltIn {
			continue
		}
		if n.values == nil {
			n.values = map[string]any{}
		}
		name := "number " + strconv.Itoa(i)
		n.values[name] = json.Number(v.Raw)
		v.Kind, v.Raw = ast.Variable, name
	}
}

// defaults returns the variables given to an operation beside those that are not given but
// have a default, if numbers of the document are held: the default may contain some.
func (n *numbers) defaults(o *ast.OperationDefinition, given map[string]any) (map[string]any, error) {
	if len(n.values) == 0 {
		return given, nil
	}
	all := map[string]any{}
	maps.Copy(all, given)
	for _, v := range o.VariableDefinitions {
		if _, ok := given[v.Variable]; ok || v.DefaultValue == nil {
			continue
		}
		value, err := v.DefaultValue.Value(n.values)
		if err != nil {
			return nil, gqlerror.WrapPath(ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}, err)
		}
		all[v.Variable] = value
	}
	return all, nil
}

// with returns variables beside those of the numbers.
func (n *numbers) with(variables map[string]any) map[string]any {
	if len(n.values) == 0 {
		return variables
	}
	all := maps.Clone(n.values)
	maps.Copy(all, variables)
	return all
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
