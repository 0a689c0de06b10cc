package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
)

// Executable makes the schema that a server runs, with the cost of its fields. What
// clients find by introspection is the printed contract and nothing else.
func Executable(resolvers ResolverRoot, directives DirectiveRoot) graphql.ExecutableSchema {
	return NewExecutableSchema(Config{
		Schema:     gqlplan.Contract(SDL()),
		Resolvers:  resolvers,
		Directives: directives,
	})
}
