package graph

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Executable makes the schema that a server runs, with the cost of its fields. What
// clients find by introspection is the printed contract and nothing else.
func Executable(resolvers ResolverRoot, directives DirectiveRoot) graphql.ExecutableSchema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: SDL()})
	// The library declares it in every schema. No transport sends answers in parts, so
	// a client that counts on it had better learn so.
	delete(schema.Directives, "defer")
	return NewExecutableSchema(Config{
		Schema:     schema,
		Resolvers:  resolvers,
		Directives: directives,
	})
}
