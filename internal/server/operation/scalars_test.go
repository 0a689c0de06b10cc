package operation

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// realtime 13#1-9: malformed values are refused wherever they occur.
func TestScalars(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		scalar Even
		scalar Any
		enum Colour { RED BLACK }
		input Range { from: Even, to: [Even!], more: Range, any: Any, colour: Colour, f: Float }
		type Query { at(x: Even, list: [Even], table: [[Even]], range: Range, ranges: [Range], any: Any,
			n: Int, ns: [Int!], f: Float, fs: [Float!], colour: Colour, colours: [Colour!]): Int }
		directive @when(x: Even) on FIELD`})
	s := scalars{"Even": func(v any) error {
		if n, ok := v.(int64); !ok || n%2 != 0 {
			return errors.New("odd")
		}
		return nil
	}}
	for _, c := range []struct {
		query     string
		variables map[string]any
		want      string
	}{
		{`{ at(x: 2, list: [4, null], range: {from: 6, to: [8], more: {from: 0}, any: 3}, any: "x") @when(x: 2) }`, nil, ""},
		{`{ at(x: null, list: null, range: null) }`, nil, ""},
		{`{ at(x: 1) }`, nil, "1:9 odd"},
		{`{ at(x: 2.5) }`, nil, "1:9 odd"},
		{`{ at(x: [2]) }`, nil, "1:9 odd"},
		{`{ at(list: [2, 3]) }`, nil, "1:16 odd"},
		{`{ at(list: 3) }`, nil, "1:12 odd"},
		{`{ at(range: {more: {to: [2, 5]}}) }`, nil, "1:29 odd"},
		{`{ at @when(x: 1) }`, nil, "1:15 odd"},
		{`{ at(n: 2147483647, ns: [-2147483648, 0]) }`, nil, ""},
		{`{ at(n: 2147483648) }`, nil, "1:9 Int cannot represent non 32-bit signed integer value: 2147483648"},
		{`{ at(ns: [0, -2147483649]) }`, nil, "1:14 Int cannot represent non 32-bit signed integer value: -2147483649"},
		{`query($n: Int = 99999999999) { at(n: $n) }`, nil, "1:17 Int cannot represent non 32-bit signed integer value: 99999999999"},
		{`query($n: Int) { at(n: $n) }`, map[string]any{"n": int64(2147483647)}, ""},
		{`query($n: Int) { at(n: $n) }`, map[string]any{"n": int64(2147483648)}, "variable.n is wrong: Int cannot represent non 32-bit signed integer value: 2147483648"},
		{`query($n: [Int!]) { at(ns: $n) }`, map[string]any{"n": []any{int64(-2147483649)}}, "variable.n[0] is wrong: Int cannot represent non 32-bit signed integer value: -2147483649"},
		{`{ at(f: 1e300, fs: [0, -1.5]) }`, nil, ""},
		{`query($f: Float) { at(f: $f) }`, map[string]any{"f": "1.5"}, ""},
		{`query($f: Float) { at(f: $f) }`, map[string]any{"f": "NaN"}, "variable.f is wrong: Float cannot represent non-finite value: NaN"},
		{`query($f: [Float!]) { at(fs: $f) }`, map[string]any{"f": []any{1.5, "-infinity"}}, "variable.f[1] is wrong: Float cannot represent non-finite value: -infinity"},
		{`query($r: Range) { at(range: $r) }`, map[string]any{"r": map[string]any{"f": "Inf"}}, "variable.r.f is wrong: Float cannot represent non-finite value: Inf"},
		{`query($c: Colour, $r: Range) { at(colour: $c, colours: RED, range: $r) }`, map[string]any{"c": "BLACK", "r": map[string]any{"colour": "RED"}}, ""},
		{`query($c: Colour) { at(colour: $c) }`, map[string]any{"c": "Red"}, "variable.c is wrong: Red is not a valid Colour"},
		{`query($c: [Colour!]) { at(colours: $c) }`, map[string]any{"c": []any{"RED", "blac\u212a"}}, "variable.c[1] is wrong: blac\u212a is not a valid Colour"},
		{`query($c: [Colour!]) { at(colours: $c) }`, map[string]any{"c": "black"}, "variable.c[0] is wrong: black is not a valid Colour"},
		{`query($r: Range) { at(range: $r) }`, map[string]any{"r": map[string]any{"colour": "red"}}, "variable.r.colour is wrong: red is not a valid Colour"},
		{`{ ...f } fragment f on Query { at(x: 1) }`, nil, "1:38 odd"},
		{`query($x: Even = 1) { at(x: $x) }`, nil, "1:18 odd"},
		{`query($x: Even) { at(x: $x) }`, map[string]any{"x": int64(2)}, ""},
		{`query($x: Even) { at(x: $x) }`, map[string]any{}, ""},
		{`query($x: Even) { at(x: $x) }`, map[string]any{"x": nil}, ""},
		{`query($x: Even) { at(x: $x) }`, map[string]any{"x": int64(1)}, "variable.x is wrong: odd"},
		{`query($l: [Even]) { at(list: $l) }`, map[string]any{"l": []any{int64(2), nil, int64(1)}}, "variable.l[2] is wrong: odd"},
		{`query($l: [Even]) { at(list: $l) }`, map[string]any{"l": int64(2)}, ""},
		{`query($l: [Even]) { at(list: $l) }`, map[string]any{"l": int64(1)}, "variable.l[0] is wrong: odd"},
		{`query($l: [Even]) { at(list: $l) }`, map[string]any{"l": "2"}, "variable.l[0] is wrong: odd"},
		{`query($n: [Int!]) { at(ns: $n) }`, map[string]any{"n": int64(2147483648)}, "variable.n[0] is wrong: Int cannot represent non 32-bit signed integer value: 2147483648"},
		{`query($t: [[Even]]) { at(table: $t) }`, map[string]any{"t": int64(1)}, "variable.t[0][0] is wrong: odd"},
		{`query($t: [[Even]]) { at(table: $t) }`, map[string]any{"t": []any{int64(2), []any{int64(4), int64(1)}}}, "variable.t[1][1] is wrong: odd"},
		{`query($r: [Range]) { at(ranges: $r) }`, map[string]any{"r": map[string]any{"from": int64(2), "to": int64(3)}}, "variable.r[0].to[0] is wrong: odd"},
		{`query($r: Range) { at(range: $r) }`, map[string]any{"r": map[string]any{"more": map[string]any{"to": []any{int64(3)}}, "any": int64(3)}},
			"variable.r.more.to[0] is wrong: odd"},
	} {
		document, invalid := gqlparser.LoadQuery(schema, c.query)
		if invalid != nil {
			t.Fatalf("%s: %v", c.query, invalid)
		}
		got := ""
		for _, e := range s.literals(document) {
			got += fmt.Sprintf("%d:%d %s", e.Locations[0].Line, e.Locations[0].Column, e.Message[len("Validation error of type WrongType: "):])
		}
		operation := document.Operations[0]
		values, err := validator.VariableValues(schema, operation, c.variables)
		if err == nil {
			err = s.variables(schema.Types, operation.VariableDefinitions, values)
		}
		if err != nil && got == "" {
			got = strings.TrimPrefix(err.Error(), "input: ")
		}
		if got != c.want {
			t.Errorf("%s with %v is refused by %q, want %q", c.query, c.variables, got, c.want)
		}
	}
}
