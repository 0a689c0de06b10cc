package operation

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// Messages about variables of another type name no kinds of Go. They are those of the validator
// itself: another wording in a later version is seen here.
func TestMismatches(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		enum Colour { RED }
		input Range { from: Int }
		type Query { at(i: Int, f: Float, s: String, b: Boolean, id: ID, c: Colour, r: Range): Int }`})
	for _, c := range []struct {
		declared string
		value    any
		want     string
	}{
		{"Int", 1.5, "must be Int, not a decimal number"},
		{"Int", true, "must be Int, not a boolean"},
		{"Int", "five", "must be Int, not a string"},
		{"[Int!]", []any{map[string]any{}}, "must be Int, not an object"},
		{"Int", json.Number("1e400"), "must be Int, not another number"},
		{"Int", json.Number("9223372036854775808"), "must be Int, not another number"},
		{"Float", json.Number("1e400"), "must be Float, not another number"},
		{"Float", []any{}, "must be Float, not a list"},
		{"String", int64(5), "must be String, not a number"},
		{"Boolean", "true", "must be Boolean, not a string"},
		{"ID", 1.5, "must be ID, not a decimal number"},
		{"ID", 1e300, "must be ID, not 1e+300"},
		{"Colour", int64(1), "must be Colour, not a number"},
		{"Colour", []any{"RED"}, "must be the name of a value of its enum"},
		{"Colour", "BLUE", "BLUE is not a valid Colour"},
		{"Range", "x", "must be Range, not a string"},
		{"Range", []any{}, "must be Range, not a list"},
		{"Range", map[string]any{"nope": nil}, "does not exist in its input type"},
		{"Int!", nil, "cannot be null"},
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: `query($v: ` + c.declared + `) { __typename }`})
		if err != nil {
			t.Fatal(err)
		}
		definition := document.Operations[0]
		for _, v := range definition.VariableDefinitions {
			v.Definition = schema.Types[v.Type.Name()]
		}
		_, err = validator.VariableValues(schema, definition, map[string]any{"v": c.value})
		if err == nil {
			t.Errorf("%s: %v is accepted", c.declared, c.value)
			continue
		}
		var refused *gqlerror.Error
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if got := mismatch(refused.Message); got != c.want {
			t.Errorf("%s: %v is refused with %q, want %q", c.declared, c.value, got, c.want)
		}
	}
}
