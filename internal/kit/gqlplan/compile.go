package gqlplan

import (
	"context"
	"math"
	"slices"
	"sync"
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
	// describes is set if root fields may describe the schema.
	describes bool
}

// Selection is the compiled selection of an object.
type Selection struct {
	fields []Field
	// concurrent is set if there are several resolver fields.
	concurrent bool
	// resolves is set if there is a resolver field here or below.
	resolves bool
	// later compiles the fields when they are first needed; it is nil if they are there.
	later func()
}

// ready compiles the fields if that has been left for later.
func (s *Selection) ready() {
	if s.later != nil {
		s.later()
	}
}

// Field is one response key.
type Field struct {
	// Number is the number of the field in its type.
	Number int
	// Selection is nil for scalars and enums.
	Selection *Selection

	// key is the quoted response key with a colon, preceded by a comma unless it is the
	// first.
	key      string
	object   *Type
	required bool
	resolver bool
	// arguments, method and implemented are as in FieldType.
	arguments, method, implemented bool
	collected                      graphql.CollectedField
	// describes is the schema that a field of Query describes; nil for other fields.
	describes *ast.Schema
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
	// describes is set if the plan serves one request only: it is the schema, which the
	// request may ask about.
	describes *ast.Schema
}

// compile returns nil for operations whose plans are not kept, and for selections of more than
// maxFields fields.
func compile(types map[string]*Type, document *ast.QueryDocument, definition *ast.OperationDefinition, conditions map[string]any, maxFields int) (*Plan, int) {
	c := &compiler{
		types:     types,
		operation: &graphql.OperationContext{Doc: document, Operation: definition, Variables: conditions},
		maxFields: maxFields,
	}
	selection := c.selection(types[rootOf(definition)], definition.SelectionSet)
	if selection == nil {
		return nil, 0
	}
	p := &Plan{Mutation: definition.Operation == ast.Mutation, root: selection, slots: c.slots}
	if p.Mutation {
		selection.concurrent = false
	}
	return p, c.fields
}

// compileForOne returns a plan for one request. Its selections are compiled when data first
// needs them, and may have any number of fields.
func compileForOne(s Schema, operation *graphql.OperationContext) *Plan {
	definition := operation.Operation
	c := &compiler{types: s.PlanTypes(), operation: operation, maxFields: math.MaxInt, describes: s.Schema()}
	object := c.types[rootOf(definition)]
	if definition.Operation == ast.Subscription {
		object = c.types[s.Schema().Subscription.Name]
	}
	root := c.selectionLater(object, definition.SelectionSet)
	p := &Plan{Mutation: definition.Operation == ast.Mutation, root: root, describes: true}
	if p.Mutation {
		compileFields := root.later
		root.later = func() {
			compileFields()
			root.concurrent = false
		}
	}
	return p
}

// rootOf returns the name of an operation's root type. That of subscriptions has any name.
func rootOf(definition *ast.OperationDefinition) string {
	if definition.Operation == ast.Mutation {
		return "Mutation"
	}
	return "Query"
}

// selectionLater returns a selection whose fields are compiled when they are first needed.
func (c *compiler) selectionLater(object *Type, set ast.SelectionSet) *Selection {
	s := &Selection{resolves: true}
	s.later = sync.OnceFunc(func() {
		one := *c // selections are compiled concurrently
		if !s.fill(&one, object, set) {
			panic("a field of " + object.Name + " has no code")
		}
	})
	return s
}

func (c *compiler) selection(object *Type, set ast.SelectionSet) *Selection {
	if object == nil {
		return nil
	}
	s := &Selection{}
	if !s.fill(c, object, set) {
		return nil
	}
	return s
}

// fill compiles the fields and reports whether the plan may have them.
func (s *Selection) fill(c *compiler, object *Type, set ast.SelectionSet) bool {
	collected := graphql.CollectFields(c.operation, set, object.Satisfies)
	if c.fields += len(collected); c.fields > c.maxFields {
		return false
	}
	fields := make([]Field, len(collected))
	keys, resolvers, resolves := map[string]bool{}, 0, false
	for i := range collected {
		f := &fields[i]
		if keys[collected[i].Alias] && c.describes == nil || !c.field(f, object, collected[i], i == 0) {
			return false
		}
		keys[f.collected.Alias] = true
		if f.resolver {
			resolvers++
		}
		if f.resolver || f.Selection != nil && f.Selection.resolves {
			resolves = true
		}
	}
	s.fields, s.concurrent = fields, resolvers > 1
	if s.later == nil {
		s.resolves = resolves
	}
	return true
}

// field reports whether the plan may have the field.
func (c *compiler) field(f *Field, object *Type, collected graphql.CollectedField, first bool) bool {
	about, known := object.Fields[collected.Name]
	if !known && object.Name == "Query" && (collected.Name == "__schema" || collected.Name == "__type") {
		f.describes, known = c.describes, c.describes != nil
	}
	if !known && collected.Name != "__typename" || collected.IsDeferred() {
		return false
	}
	f.Number, f.object, f.required, f.resolver, f.collected = about.Number, object, about.Required, about.Resolver, collected
	f.arguments, f.method, f.implemented = about.Arguments, about.Method, about.Implemented
	// The grammar does not allow characters in a response key that JSON would have to
	// escape.
	f.key = `"` + collected.Alias + `":`
	if !first {
		f.key = "," + f.key
	}
	// The arguments of a plan for one request are constant.
	if c.describes == nil && about.Arguments && !about.Resolver && HasVariables(collected.Arguments) {
		c.slots++
		f.slot = c.slots
	}
	if about.Type == "" {
		return true
	}
	if c.describes != nil {
		f.Selection = c.selectionLater(c.types[about.Type], collected.Selections)
		return true
	}
	f.Selection = c.selection(c.types[about.Type], collected.Selections)
	return f.Selection != nil
}

// context returns the field's context with coerced arguments. On failure, an error has been
// added to the response.
func (f *Field) context(ctx context.Context, env any) (fc *graphql.FieldContext, err error) {
	fc = &graphql.FieldContext{Object: f.object.Name, Field: f.collected, IsMethod: f.method, IsResolver: f.implemented}
	if !f.arguments {
		return fc, nil
	}
	operation := graphql.GetOperationContext(ctx)
	defer func() {
		if p := recover(); p != nil {
			err = operation.Recover(ctx, p)
			operation.Error(ctx, err)
		}
	}()
	ctx = graphql.WithFieldContext(ctx, fc)
	if fc.Args, err = f.object.Arguments(env, ctx, f.Number, f.collected.ArgumentMap(operation.Variables)); err != nil {
		operation.Error(ctx, err)
	}
	return fc, err
}

// contextual returns context as gqlgen's functions take it.
func (f *Field) contextual(env any) func(context.Context, graphql.CollectedField) (*graphql.FieldContext, error) {
	return func(ctx context.Context, _ graphql.CollectedField) (*graphql.FieldContext, error) {
		return f.context(ctx, env)
	}
}

// HasVariables reports whether arguments depend on variables.
func HasVariables(arguments ast.ArgumentList) bool {
	return slices.ContainsFunc(arguments, func(a *ast.Argument) bool { return variable(a.Value) })
}

func variable(v *ast.Value) bool {
	if v.Kind == ast.Variable {
		return true
	}
	return slices.ContainsFunc(v.Children, func(child *ast.ChildValue) bool { return variable(child.Value) })
}
