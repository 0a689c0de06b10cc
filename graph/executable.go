package graph

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Executable makes the schema that a server runs, with the cost of its fields. What
// clients find by introspection is the printed contract and nothing else.
func Executable(resolvers ResolverRoot, directives DirectiveRoot) graphql.ExecutableSchema {
	return NewExecutableSchema(Config{
		Schema:     gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: SDL()}),
		Resolvers:  resolvers,
		Directives: directives,
		Complexity: Complexity(),
	})
}
