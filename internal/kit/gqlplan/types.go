package gqlplan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Schema is an executable schema with generated code for plans.
type Schema interface {
	graphql.ExecutableSchema
	// PlanTypes returns the object types supported by plans, by name. They are shared and
	// immutable.
	PlanTypes() map[string]*Type
	// AppendPlan executes p and appends the data of its response to dst. As for Exec, ctx
	// must have an operation context and a response context, which collects the errors.
	AppendPlan(ctx context.Context, p *Plan, dst []byte) []byte
}

// Type is an object type.
type Type struct {
	Name string
	// Satisfies lists the type conditions of fragments that apply to the type.
	Satisfies []string
	// Fields are the fields supported by plans, by name, except __typename.
	Fields map[string]FieldType
	// Context returns the field context of a field with coerced arguments. On failure, an
	// error has been added to the response. It is nil for root types.
	Context func(env any, ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error)
}

// FieldType describes a field for plans.
type FieldType struct {
	// Number identifies the field in generated code; 0 is __typename.
	Number int
	// Type is the name of the object type of the field's values, or of the elements of its
	// list; empty for scalars and enums.
	Type string
	// Required fields are never null: their parents are null instead.
	Required bool
	// Resolver fields run concurrently with their siblings.
	Resolver bool
	// Arguments is set if the field has arguments and is not a resolver field.
	Arguments bool
}
