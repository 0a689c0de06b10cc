package selection

import (
	"context"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/reads"
)

const shop = `
	directive @reads(detail: [Detail!]!) on FIELD_DEFINITION
	enum Detail { PRICE STOCK RATING }
	type Query { shelf: Shelf }
	type Shelf { items: [Item!] friends: [Shelf!] }
	interface Thing { price: Int }
	type Item implements Thing { name: String price: Int @reads(detail: PRICE) offer: Offer maker: Maker @reads(detail: [STOCK]) }
	type Offer { left: Int @reads(detail: [STOCK, PRICE]) }
	type Maker { rating: Int @reads(detail: RATING) }`

type detail uint64

// resolved lists the fields of the shop that have resolvers.
var resolved = map[string]*gqlplan.Type{
	"Shelf": {Fields: map[string]gqlplan.FieldType{"friends": {Resolver: true}}},
	"Item":  {Fields: map[string]gqlplan.FieldType{"maker": {Resolver: true}}},
}

func named(list ...string) *reads.Names[detail] {
	names := new(reads.Names[detail])
	for _, name := range list {
		names.New(name)
	}
	return names
}

func TestWhatSelectionsRead(t *testing.T) {
	schema, names := gqlparser.MustLoadSchema(&ast.Source{Input: shop}), named("PRICE", "STOCK", "RATING")
	r, err := ReadsOf(schema, resolved, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, asked, anywhere string }{
		{`{ shelf { items { name } } }`, "", ""},
		{`{ shelf { items { price } } }`, "PRICE", "PRICE"},
		{`{ shelf { items { offer { left } } } }`, "PRICE|STOCK", "PRICE|STOCK"},
		{`{ shelf { items { maker { rating } } } }`, "STOCK|RATING", "STOCK|RATING"},
		{`{ shelf { friends { items { price } } } }`, "", "PRICE"},
		{`{ shelf { items { ... on Thing { price } } } }`, "PRICE", "PRICE"},
		{`{ shelf { ...F } } fragment F on Shelf { items { p: price @skip(if: true) } }`, "PRICE", "PRICE"},
	} {
		document, errs := gqlparser.LoadQueryWithRules(schema, c.query, nil)
		if errs != nil {
			t.Fatal(errs)
		}
		operation := document.Operations[0]
		ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{Operation: operation})
		shelf := operation.SelectionSet[0].(*ast.Field)
		ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: graphql.CollectedField{Field: shelf, Selections: shelf.SelectionSet}})
		if asked, anywhere := names.String(r.Asked(ctx)), names.String(r.Operation(ctx)); asked != c.asked || anywhere != c.anywhere {
			t.Errorf("%s: asked %q, anywhere %q, want %q and %q", c.query, asked, anywhere, c.asked, c.anywhere)
		}
	}
}

func TestSchemaAndDetailsMustAgree(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: shop})
	for want, names := range map[string]*reads.Names[detail]{
		"Maker.rating: no detail is named RATING": named("PRICE", "STOCK"),
		"no field reads COLOUR":                   named("PRICE", "STOCK", "RATING", "COLOUR"),
	} {
		if _, err := ReadsOf(schema, resolved, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
