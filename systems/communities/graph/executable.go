package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
	"stoa/systems/communities"
)

// clientSchema is the schema that clients see.
var clientSchema = gqlplan.Contract(communities.Contract)

// Executable returns the schema that a server runs.
func Executable(resolvers ResolverRoot) graphql.ExecutableSchema {
	return NewPlannedSchema(Config{Schema: clientSchema(), Resolvers: resolvers})
}
