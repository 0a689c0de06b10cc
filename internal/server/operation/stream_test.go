package operation

import (
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

var streamSchema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	type Query { a: Int }
	type Subscription { a: Int b: Int }`})

func TestSubscriptionsAreToOneStream(t *testing.T) {
	const (
		condition = "a subscription selects its stream without conditions: leave @skip and @include out"
		noStream  = "a subscription selects a stream, which `__typename` is not"
	)
	another := func(alias string) string {
		return "a subscription selects one stream: send `" + alias + "` as a subscription of its own"
	}
	for _, test := range []struct {
		query string
		want  []string
	}{
		{`subscription{a}`, nil},
		{`subscription{a a ...F ...F ...on Subscription{a}} fragment F on Subscription{a}`, nil},
		{`query{a b:a @skip(if:true)}`, nil},
		{`subscription A{a} subscription B{b}`, nil},
		{`subscription{a b}`, []string{another("b")}},
		{`subscription{a other:a}`, []string{another("other")}},
		{`subscription{a ...F} fragment F on Subscription{b}`, []string{another("b")}},
		{`subscription{...on Subscription{a} b}`, []string{another("b")}},
		{`subscription{__typename}`, []string{noStream}},
		{`subscription{a __typename}`, []string{noStream}},
		{`subscription{a @skip(if:true)}`, []string{condition}},
		{`subscription($on:Boolean!){...F @include(if:$on)} fragment F on Subscription{a}`, []string{condition}},
		{`subscription{...on Subscription @include(if:false){a}}`, []string{condition}},
		{`subscription{...F} fragment F on Subscription{a ...F}`, []string{`Cannot spread fragment "F" within itself.`}},
		{`subscription{a ...F}`, []string{`Unknown fragment "F".`}},
	} {
		document, err := parser.ParseQuery(&ast.Source{Input: test.query})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, err := range validator.ValidateWithRules(streamSchema, document, newRules(5, true, true)) {
			got = append(got, err.Message)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.query, got, test.want)
		}
	}
}
