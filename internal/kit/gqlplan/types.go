package gqlplan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Schema is an executable schema with generated code for plans.
type Schema interface {
	graphql.ExecutableSchema
	// PlanTypes are the object types that plans may hold, by name. They are shared and
	// never changed.
	PlanTypes() map[string]*Type
	// AppendPlan executes p and appends the data of its answer to dst. As for Exec, ctx
	// holds an operation context and a response context, which collects the errors.
	AppendPlan(ctx context.Context, p *Plan, dst []byte) []byte
}

// Type is an object type.
type Type struct {
	Name string
	// Satisfies are the type conditions of fragments that apply to the type.
	Satisfies []string
	// Fields that plans may hold, by name; __typename is known without being listed.
	Fields map[string]FieldType
	// Context makes the field context of a field, coercing its arguments. An error has
	// been added to the response. It is nil for root types.
	Context func(env any, ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error)
}

// FieldType is what plans need to know of a field.
type FieldType struct {
	// Number tells generated code which field it is; 0 is __typename.
	Number int
	// Type names the object type of the field's values, or of the elements of its list.
	// It is empty for scalars and enums.
	Type string
	// Required fields are never null: their parents are null instead.
	Required bool
	// Resolver fields run concurrently with their siblings.
	Resolver bool
	// Arguments tells that the field has some and is not a resolver field.
	Arguments bool
}
