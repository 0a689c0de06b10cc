package operation

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

var shop = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { pets(limit: Int = 10): [Pet] pet(id: ID!): Pet self: Pet search(text: String, limit: Int): [Pet] these(ids: [ID!], of: ID): [Pet] }
	type Mutation { feed(id: ID!): Pet }
	type Pet { name: String friends(limit: Int): [Pet] }`})

func TestPrices(t *testing.T) {
	dear := prices{"Query.search": 1000, "Mutation.search": 5}
	for query, want := range map[string]int{
		`{self{name}}`:                                   2,
		`{pet(id:"x"){name}}`:                            2 + lookupPrice,
		`{pets{name}}`:                                   1 + pagePrice + 10*(1+objectPrice),
		`{pets(limit:3){name friends{name}}}`:            1 + pagePrice + 3*(objectPrice+1+1+pagePrice+20*(1+objectPrice)),
		`query($n:Int=3){pets(limit:$n){name}}`:          1 + pagePrice + 3*(1+objectPrice),
		`query($n:Int=3){self{friends(limit:$n){name}}}`: 2 + pagePrice + 3*(1+objectPrice),
		`{these(ids:["x"]){name}}`:                       2 + lookupPrice + manyPrice,
		`{these(of:"x"){name}}`:                          2 + lookupPrice,
		`mutation{feed(id:"x"){name}}`:                   2 + lookupPrice + changePrice,
		`{search(limit:1){name}}`:                        1 + pagePrice + 1 + objectPrice + 1000,
		`{search(limit:1){name} ...F} fragment F on Query{search(limit:1){name}}`: 2 * (1 + pagePrice + 1 + objectPrice + 1000),
	} {
		document, errs := gqlparser.LoadQueryWithRules(shop, query, nil)
		if errs != nil {
			t.Fatalf("%s: %v", query, errs)
		}
		operation := document.Operations[0]
		variables, err := validator.VariableValues(shop, operation, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&count{surcharge: dear.of}).costOf(operation.SelectionSet).total(variables); got != want {
			t.Errorf("%s is priced %d, want %d", query, got, want)
		}
	}
}
