package operation

import (
	"context"
	"math"
	"testing"

	"github.com/99designs/gqlgen/complexity"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// priced is a schema whose lists cost their limit times what they hold, and whose
// cats are dearer than other pets.
type priced struct{ schema *ast.Schema }

func (p priced) Schema() *ast.Schema                          { return p.schema }
func (p priced) Exec(context.Context) graphql.ResponseHandler { return nil }

func (p priced) Complexity(_ context.Context, typeName, field string, child int, arguments map[string]any) (int, bool) {
	switch typeName + "." + field {
	case "Query.pets", "Cat.friends", "Dog.friends":
		limit, ok := arguments["limit"].(int64)
		if !ok {
			return 0, false
		}
		return int(limit) * child, true
	case "Cat.name":
		return 7, true
	}
	return 0, false
}

var pricedSchema = priced{gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { pets(limit: Int = 10, filter: Filter): [Pet] cat: Cat }
	input Filter { names: [String] }
	interface Pet { name: String friends(limit: Int = 2): [Pet] }
	type Cat implements Pet { name: String friends(limit: Int = 2): [Pet] }
	type Dog implements Pet { name: String friends(limit: Int = 2): [Pet] }`})}

// gqlgen's own walk, which starts afresh with every request, is the reference.
func TestCostIsWhatGqlgenCounts(t *testing.T) {
	for _, test := range []struct {
		query     string
		variables map[string]any
		want      int
	}{
		{`{cat{name}}`, nil, 8},
		{`{pets{name}}`, nil, 70},
		{`{pets(limit:3){name}}`, nil, 21},
		{`{pets(limit:3){friends{name}}}`, nil, 42},
		{`{pets{... on Dog{name} ... on Cat{name}}}`, nil, 80},
		{`{pets(limit:2){...F} cat{...F}} fragment F on Pet{name friends(limit:3){name}}`, nil, 85},
		{`query($n:Int){pets(limit:$n){name}}`, map[string]any{"n": int64(4)}, 28},
		{`query($n:Int=5){pets(limit:$n){name}}`, nil, 35},
		{`query($n:Int){pets(limit:2){friends(limit:$n){name}} cat{name}}`, map[string]any{"n": int64(3)}, 50},
		{`query($n:Int){a:pets(limit:$n){friends(limit:$n){name}}}`, map[string]any{"n": int64(3)}, 63},
		{`query($s:String){pets(limit:1,filter:{names:[$s]}){name}}`, map[string]any{"s": "x"}, 7},
		{`{__schema{types{name}} cat{name}}`, nil, 8},
		{`{pets(limit:9223372036854775807){__typename} cat{name}}`, nil, math.MaxInt},
	} {
		document, errs := gqlparser.LoadQueryWithRules(pricedSchema.schema, test.query, nil)
		if errs != nil {
			t.Fatalf("%s: %v", test.query, errs)
		}
		operation := document.Operations[0]
		variables, err := validator.VariableValues(pricedSchema.schema, operation, test.variables)
		if err != nil {
			t.Fatal(err)
		}
		c := coster{pricedSchema}
		got := c.total(t.Context(), c.of(operation.SelectionSet), variables)
		if reference := complexity.Calculate(t.Context(), pricedSchema, operation, variables); got != test.want || reference != test.want {
			t.Errorf("%s costs %d, gqlgen counts %d, want %d", test.query, got, reference, test.want)
		}
	}
}

func TestKnownPartsAreCountedOnce(t *testing.T) {
	document, errs := gqlparser.LoadQueryWithRules(pricedSchema.schema,
		`query($n:Int){pets(limit:3){friends{name}} cat{name} x:pets(limit:$n){friends{name}}}`, nil)
	if errs != nil {
		t.Fatal(errs)
	}
	c := coster{pricedSchema}.of(document.Operations[0].SelectionSet)
	if c.known != 50 || len(c.variable) != 1 || len(c.variable[0].below.variable) != 0 {
		t.Errorf("known %d, %d variable parts", c.known, len(c.variable))
	}
}
