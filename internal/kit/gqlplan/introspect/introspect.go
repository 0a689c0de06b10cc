// Package introspect resolves the fields that describe a schema: __schema and __type. Their
// code is the same for all schemas, so that programs with several need it once.
package introspect

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Field resolves a field of Query that describes the schema.
func Field(ctx context.Context, schema *ast.Schema, field graphql.CollectedField) graphql.Marshaler {
	ec := newExecutionContext(graphql.GetOperationContext(ctx), &executableSchema{SchemaData: schema}, nil)
	switch field.Name {
	case "__schema":
		return ec._Query___schema(ctx, field)
	case "__type":
		return ec._Query___type(ctx, field)
	}
	panic("unknown field " + field.Name)
}
