package resolvers

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"

	"stoa/graph"
)

// Only fields that can be selected together with other root fields wait for a batch.
func TestFieldsThatStandAlone(t *testing.T) {
	schema := graph.Executable(nil, graph.DirectiveRoot{}).Schema()
	for text, want := range map[string]bool{
		`{ user(userId: "u") { userId } }`:                                             true,
		`{ user(userId: "u") { userId } post(postId: "p") { postId } }`:                false,
		`{ user(userId: "u") { userId } user(userId: "u") { username } }`:              false,
		`{ ...F } fragment F on Query { a: user(userId: "u") { userId } __typename }`:  false,
		`{ ... { a: post(postId: "p") { postId } b: post(postId: "q") { postId } } }`:  false,
		`query Named($id: ID!) { post(postId: $id) { postId postedBy { username } } }`: true,
	} {
		document, errs := gqlparser.LoadQuery(schema, text)
		if errs != nil {
			t.Fatal(errs)
		}
		ctx := graphql.WithOperationContext(t.Context(), &graphql.OperationContext{Operation: document.Operations[0]})
		if alone(ctx) != want {
			t.Errorf("%s: alone is %v", text, !want)
		}
	}
}
