package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
)

// Executable returns the schema that a server executes, with the cost of its fields.
// Introspection returns exactly the printed contract.
func Executable(resolvers ResolverRoot, directives DirectiveRoot) graphql.ExecutableSchema {
	return NewExecutableSchema(Config{
		Schema:     gqlplan.Contract(SDL()),
		Resolvers:  resolvers,
		Directives: directives,
	})
}
