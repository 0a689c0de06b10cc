package operation

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

var pets = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { pets(limit: Int = 10, filter: Filter): [Pet] cat: Cat }
	input Filter { names: [String] }
	interface Pet { name: String friends(limit: Int): [Pet] }
	type Cat implements Pet { name: String friends(limit: Int): [Pet] }
	type Dog implements Pet { name: String friends(limit: Int): [Pet] }`})

// A list costs one plus its limit times the cost of an item; the limit defaults to that of
// the schema, or 20. A limit that will be refused costs as much as the largest, 100.
func TestCost(t *testing.T) {
	for _, test := range []struct {
		query     string
		variables map[string]any
		want      int
	}{
		{`{cat{name}}`, nil, 2},
		{`{pets{name}}`, nil, 11},
		{`{cat{friends{name}}}`, nil, 22},
		{`{pets(limit:3){name}}`, nil, 4},
		{`{pets(limit:3){friends{name}}}`, nil, 64},
		{`{pets{... on Dog{name} ... on Cat{name}}}`, nil, 21},
		{`{pets(limit:2){...F} cat{...F}} fragment F on Pet{name friends(limit:3){name}}`, nil, 17},
		{`query($n:Int){pets(limit:$n){name}}`, map[string]any{"n": int64(4)}, 5},
		{`query($n:Int){pets(limit:$n){name}}`, map[string]any{"n": nil}, 21},
		{`query($n:Int=5){pets(limit:$n){name}}`, nil, 6},
		{`query($n:Int){pets(limit:2){friends(limit:$n){name}} cat{name}}`, map[string]any{"n": int64(3)}, 11},
		{`query($n:Int){a:pets(limit:$n){friends(limit:$n){name}}}`, map[string]any{"n": int64(3)}, 13},
		{`query($s:String){pets(limit:1,filter:{names:[$s]}){name}}`, map[string]any{"s": "x"}, 2},
		{`{__schema{types{name}} cat{name}}`, nil, 2},
		{`{pets(limit:9223372036854775807){__typename} cat{name}}`, nil, 103},
		{`{pets(limit:0){name}}`, nil, 101},
		{`{pets(limit:-1){name}}`, nil, 101},
	} {
		document, errs := gqlparser.LoadQueryWithRules(pets, test.query, nil)
		if errs != nil {
			t.Fatalf("%s: %v", test.query, errs)
		}
		operation := document.Operations[0]
		variables, err := validator.VariableValues(pets, operation, test.variables)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&count{surcharge: free}).costOf(operation.SelectionSet).total(variables); got != test.want {
			t.Errorf("%s costs %d, want %d", test.query, got, test.want)
		}
	}
}

func TestKnownPartsAreCountedOnce(t *testing.T) {
	document, errs := gqlparser.LoadQueryWithRules(pets,
		`query($n:Int){pets(limit:3){friends{name}} cat{name} x:pets(limit:$n){friends{name}}}`, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	c := (&count{surcharge: free}).costOf(document.Operations[0].SelectionSet)
	if c.known != 66 || len(c.variable) != 1 || len(c.variable[0].below.variable) != 0 {
		t.Errorf("known %d, %d variable parts", c.known, len(c.variable))
	}
}
