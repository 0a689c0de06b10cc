package gqlplan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
)

// Schema is an executable schema with generated code for plans.
type Schema interface {
	graphql.ExecutableSchema
	// PlanTypes returns the object types by name. They are shared and immutable.
	PlanTypes() map[string]*Type
	// AppendPlan executes p and appends the data of its response to dst. As for Exec, ctx
	// must have an operation context and a response context, which collects the errors.
	AppendPlan(ctx context.Context, p *Plan, dst []byte) []byte
	// StreamPlan starts the subscription of p. It returns nil if it has not started.
	StreamPlan(ctx context.Context, p *Plan) Events
}

// Type is an object type.
type Type struct {
	Name string
	// Satisfies lists the type conditions of fragments that apply to the type.
	Satisfies []string
	// Fields are the fields by name, except those that GraphQL itself defines.
	Fields map[string]FieldType
	// Arguments returns the coerced arguments of the field with a number; it is nil for
	// types without arguments.
	Arguments func(env any, ctx context.Context, field int, raw map[string]any) (map[string]any, error)
}

// FieldType describes a field for plans.
type FieldType struct {
	Name string
	// Number identifies the field in generated code; 0 is __typename.
	Number int
	// Type is the name of the object type of the field's values, or of the elements of its
	// list; empty for scalars and enums.
	Type string
	// Required fields are never null: their parents are null instead.
	Required bool
	// Resolver fields run concurrently with their siblings.
	Resolver bool
	// Arguments is set if the field has arguments.
	Arguments bool
	// Method and Implemented are IsMethod and IsResolver of the field's context.
	Method, Implemented bool
}

// Definition is a Type as generated code defines it: as data, which takes less of a program
// than the code that fills maps.
type Definition struct {
	Name      string
	Satisfies []string
	Arguments func(env any, ctx context.Context, field int, raw map[string]any) (map[string]any, error)
	Fields    []FieldType
}

// Define returns the types by name.
func Define(definitions []Definition) map[string]*Type {
	types := make(map[string]*Type, len(definitions))
	for i := range definitions {
		d := &definitions[i]
		t := &Type{Name: d.Name, Satisfies: d.Satisfies, Arguments: d.Arguments, Fields: make(map[string]FieldType, len(d.Fields))}
		for _, f := range d.Fields {
			t.Fields[f.Name] = f
		}
		types[d.Name] = t
	}
	return types
}
