package operation

import (
	"encoding/json"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

func TestNumbersThatNoFloatHoldsAreKept(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		scalar Decimal
		scalar Any
		input In { d: Decimal }
		type Query { q(d: Decimal, in: In, f: Float, id: ID, any: Any): Int }`})
	for _, c := range []struct {
		query   string
		want    any
		refused bool
	}{
		{`{q(d: 0.29)}`, 0.29, false},
		{`{q(d: 7)}`, int64(7), false},
		{`{q(d: 1.9999999999999999999999999)}`, json.Number("1.9999999999999999999999999"), false},
		{`{q(d: 1e400)}`, json.Number("1e400"), false},
		{`{q(d: 1e-400)}`, json.Number("1e-400"), false},
		{`{q(in: {d: 1e400})}`, map[string]any{"d": json.Number("1e400")}, false},
		{`{q(in: {d: "1e400"})}`, map[string]any{"d": "1e400"}, false},
		{`{q(any: {d: 1e400})}`, map[string]any{"d": json.Number("1e400")}, false},
		{`{q(any: {d: 0.12345678901234567890})}`, map[string]any{"d": json.Number("0.12345678901234567890")}, false},
		{`query($d: Decimal = 1e400) {q(d: $d)}`, json.Number("1e400"), false},
		{`query($d: Decimal = "1e400") {q(d: $d)}`, "1e400", false},
		{`query($in: In = {d: 1e400}) {q(in: $in)}`, map[string]any{"d": json.Number("1e400")}, false},
		{`query($any: Any = 1e400, $id: ID = 7) {q(any: {d: $any}, id: $id)}`, map[string]any{"d": json.Number("1e400")}, false},
		{`query($f: Float = 1e400) {q(f: $f)}`, nil, true},
		{`fragment F on Query {q(d: 1e400)} {...F}`, json.Number("1e400"), false},
		{`{q(d: 1234567890123456789012345678901234567890)}`, json.Number("1234567890123456789012345678901234567890"), false},
		{`{q(f: 1234567890123456789012345678901234567890)}`, 1.2345678901234568e39, false},
		{`{q(f: 0.12345678901234567890)}`, 0.12345678901234568, false},
		{`{q(f: 1e400)}`, nil, true},
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: c.query})
		if err != nil {
			t.Fatal(err)
		}
		var large numbers
		eachValue(document, large.hold)
		if errs := validator.ValidateWithRules(schema, document, nil); (errs != nil) != c.refused {
			t.Errorf("%s: %v", c.query, errs)
		}
		if c.refused {
			continue
		}
		eachValue(document, large.keep)
		large.bind()
		selection := document.Operations[0].SelectionSet[0]
		if spread, ok := selection.(*ast.FragmentSpread); ok {
			selection = spread.Definition.SelectionSet[0]
		}
		given, defaultErr := large.defaults(document.Operations[0], nil)
		if defaultErr != nil {
			t.Fatal(defaultErr)
		}
		variables, variableErr := validator.VariableValues(schema, document.Operations[0], given)
		if variableErr != nil {
			t.Errorf("%s: %v", c.query, variableErr)
		}
		got, valueErr := selection.(*ast.Field).Arguments[0].Value.Value(large.with(variables))
		if valueErr != nil {
			t.Errorf("%s: %v", c.query, valueErr)
		}
		if m, ok := got.(map[string]any); ok {
			if got, c.want = m["d"], c.want.(map[string]any)["d"]; got != c.want {
				t.Errorf("%s: %#v, want %#v", c.query, got, c.want)
			}
		} else if got != c.want {
			t.Errorf("%s: %#v, want %#v", c.query, got, c.want)
		}
	}
}
