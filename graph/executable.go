package graph

import (
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
)

// clientSchema is the schema that clients see. It is parsed once, since it never changes.
var clientSchema = sync.OnceValue(func() *ast.Schema { return gqlplan.Contract(SDL())() })

// Executable returns the schema that a server executes, with the cost of its fields.
// Introspection returns exactly the printed contract.
func Executable(resolvers ResolverRoot, directives DirectiveRoot) graphql.ExecutableSchema {
	return NewPlannedSchema(Config{
		Schema:     clientSchema(),
		Resolvers:  resolvers,
		Directives: directives,
	})
}
