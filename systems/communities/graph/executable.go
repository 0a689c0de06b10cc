package graph

import (
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
	"stoa/systems/communities"
)

// clientSchema is the schema that clients see. It is parsed once, since it never changes.
var clientSchema = sync.OnceValue(func() *ast.Schema { return gqlplan.Contract(communities.Contract) })

// Executable returns the schema that a server runs.
func Executable(resolvers ResolverRoot) graphql.ExecutableSchema {
	return NewPlannedSchema(Config{Schema: clientSchema(), Resolvers: resolvers})
}
