package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
	"stoa/systems/archive"
)

// Executable returns the schema that a server runs.
func Executable(resolvers ResolverRoot) graphql.ExecutableSchema {
	return NewExecutableSchema(Config{Schema: gqlplan.Contract(archive.Contract), Resolvers: resolvers})
}
