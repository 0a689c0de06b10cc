package gqlplan

import (
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Plan is a compiled selection for certain values of the variables in @skip and @include.
// It is immutable and may be executed concurrently.
type Plan struct {
	// Mutation is set if root fields run sequentially.
	Mutation bool
	root     *Selection
	// slots is the number of plain fields with arguments that depend on variables.
	slots int
}

// Selection is the compiled selection of an object.
type Selection struct {
	fields []Field
	// concurrent is set if there are several resolver fields.
	concurrent bool
	// resolves is set if there is a resolver field here or below.
	resolves bool
}

// Field is one response key.
type Field struct {
	// Number is the number of the field in its type.
	Number int
	// Selection is nil for scalars and enums.
	Selection *Selection

	// key is the quoted response key with a colon, preceded by a comma unless it is the
	// first.
	key       string
	object    *Type
	required  bool
	resolver  bool
	collected graphql.CollectedField
	// slot is the number, from 1, of a plain field with arguments that depend on variables.
	slot int
	// constant holds the coerced arguments of a plain field that do not depend on
	// variables.
	constant atomic.Pointer[graphql.FieldContext]
}

// compiler compiles one plan.
type compiler struct {
	types     map[string]*Type
	operation *graphql.OperationContext
	fields    int
	maxFields int
	slots     int
}

// compile returns nil for operations that plans do not support, and for selections of more
// than maxFields fields.
func compile(types map[string]*Type, document *ast.QueryDocument, definition *ast.OperationDefinition, conditions map[string]any, maxFields int) (*Plan, int) {
	root := "Query"
	if definition.Operation == ast.Mutation {
		root = "Mutation"
	}
	c := &compiler{
		types:     types,
		operation: &graphql.OperationContext{Doc: document, Operation: definition, Variables: conditions},
		maxFields: maxFields,
	}
	selection := c.selection(types[root], definition.SelectionSet)
	if selection == nil {
		return nil, 0
	}
	p := &Plan{Mutation: definition.Operation == ast.Mutation, root: selection, slots: c.slots}
	if p.Mutation {
		selection.concurrent = false
	}
	return p, c.fields
}

func (c *compiler) selection(object *Type, set ast.SelectionSet) *Selection {
	if object == nil {
		return nil
	}
	collected := graphql.CollectFields(c.operation, set, object.Satisfies)
	if c.fields += len(collected); c.fields > c.maxFields {
		return nil
	}
	s := &Selection{fields: make([]Field, len(collected))}
	keys, resolvers := map[string]bool{}, 0
	for i := range collected {
		f := &s.fields[i]
		if keys[collected[i].Alias] || !c.field(f, object, collected[i], i == 0) {
			return nil
		}
		keys[f.collected.Alias] = true
		if f.resolver {
			resolvers++
		}
		if f.resolver || f.Selection != nil && f.Selection.resolves {
			s.resolves = true
		}
	}
	s.concurrent = resolvers > 1
	return s
}

// field reports whether plans support the field.
func (c *compiler) field(f *Field, object *Type, collected graphql.CollectedField, first bool) bool {
	about, known := object.Fields[collected.Name]
	if !known && collected.Name != "__typename" || collected.IsDeferred() {
		return false
	}
	f.Number, f.object, f.required, f.resolver, f.collected = about.Number, object, about.Required, about.Resolver, collected
	// The grammar does not allow characters in a response key that JSON would have to
	// escape.
	f.key = `"` + collected.Alias + `":`
	if !first {
		f.key = "," + f.key
	}
	if about.Arguments && HasVariables(collected.Arguments) {
		c.slots++
		f.slot = c.slots
	}
	if about.Type == "" {
		return true
	}
	f.Selection = c.selection(c.types[about.Type], collected.Selections)
	return f.Selection != nil
}

// HasVariables reports whether arguments depend on variables.
func HasVariables(arguments ast.ArgumentList) bool {
	for _, a := range arguments {
		if variable(a.Value) {
			return true
		}
	}
	return false
}

func variable(v *ast.Value) bool {
	if v.Kind == ast.Variable {
		return true
	}
	for _, child := range v.Children {
		if variable(child.Value) {
			return true
		}
	}
	return false
}
