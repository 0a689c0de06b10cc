package graph

import (
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/operator"
)

// clientSchema is the schema that clients see. It is parsed once, since it never changes.
var clientSchema = sync.OnceValue(func() *ast.Schema { return gqlplan.Contract(operator.Contract) })

// Executable makes the schema that a server runs.
func Executable(resolvers ResolverRoot) graphql.ExecutableSchema {
	return NewPlannedSchema(Config{Schema: clientSchema(), Resolvers: resolvers})
}
