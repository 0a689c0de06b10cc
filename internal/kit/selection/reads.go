// Package selection determines the details that a resolver must read for its selection,
// from the directives of the schema (see package reads).
//
// A resolver reads everything that comes with its object: fields below that have resolvers
// of their own read for themselves, unless they declare that they are read before.
package selection

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/reads"
)

// Directive is the name of the directive that declares what a field reads.
const Directive = "reads"

// Reads holds the details shown by each field of a schema. It is immutable.
type Reads[D ~uint64] struct {
	fields map[place]field[D]
}

// place identifies a field of a type.
type place struct{ object, field string }

type field[D ~uint64] struct {
	shows D
	// along is set if the values come with their parent: their selection is read with it.
	along bool
}

// ReadsOf parses the directives of a schema. The types tell which fields have resolvers of
// their own. It fails if a field reads a detail that names does not have, or if no field
// reads a detail of names; either is a mistake.
func ReadsOf[D ~uint64](schema *ast.Schema, types map[string]*gqlplan.Type, names *reads.Names[D]) (*Reads[D], error) {
	r := &Reads[D]{fields: map[place]field[D]{}}
	var used D
	var problems []error
	for _, t := range schema.Types {
		if t.Kind != ast.Object || t.BuiltIn {
			continue
		}
		for _, definition := range t.Fields {
			shows, err := detailsOf(definition, names)
			if err != nil {
				problems = append(problems, fmt.Errorf("%s.%s: %w", t.Name, definition.Name, err))
			}
			used |= shows
			r.add(schema, t, definition.Name, field[D]{shows: shows, along: comesAlong(schema, types, t, definition, shows != 0)})
		}
	}
	if unused := names.All() &^ used; unused != 0 {
		problems = append(problems, fmt.Errorf("no field reads %s", names.String(unused)))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("@%s: %w", Directive, err)
	}
	return r, nil
}

// add records a field of an object, also for selections through an interface.
func (r *Reads[D]) add(schema *ast.Schema, of *ast.Definition, name string, about field[D]) {
	for _, object := range append([]string{of.Name}, of.Interfaces...) {
		if object != of.Name && schema.Types[object].Fields.ForName(name) == nil {
			continue
		}
		at := place{object, name}
		known := r.fields[at]
		r.fields[at] = field[D]{shows: known.shows | about.shows, along: known.along || about.along}
	}
}

func detailsOf[D ~uint64](definition *ast.FieldDefinition, names *reads.Names[D]) (set D, err error) {
	directive := definition.Directives.ForName(Directive)
	if directive == nil {
		return 0, nil
	}
	argument := directive.Arguments.ForName("detail")
	if argument == nil {
		return 0, errors.New("says no detail")
	}
	listed := argument.Value.Children
	if argument.Value.Kind != ast.ListValue {
		listed = ast.ChildValueList{{Value: argument.Value}}
	}
	for _, child := range listed {
		detail, err := names.Of(child.Value.Raw)
		if err != nil {
			return 0, err
		}
		set |= detail
	}
	return set, nil
}

// comesAlong reports whether the field's values are objects that were read with their
// parent: it has no resolver, or one that shows a detail of the parent. Root fields never
// do.
func comesAlong(schema *ast.Schema, types map[string]*gqlplan.Type, of *ast.Definition, definition *ast.FieldDefinition, detail bool) bool {
	if of == schema.Query || of == schema.Mutation || of == schema.Subscription {
		return false
	}
	if !schema.Types[definition.Type.Name()].IsCompositeType() {
		return false
	}
	t := types[of.Name]
	return detail || t == nil || !t.Fields[definition.Name].Resolver
}

// Asked returns the details shown by the selection of the current field. It ignores @skip
// and @include.
func (r *Reads[D]) Asked(ctx context.Context) D {
	return r.shown(graphql.GetFieldContext(ctx).Field.Selections, false)
}

// Operation returns all details shown by the operation of ctx, which suffice for objects
// shared by several fields.
func (r *Reads[D]) Operation(ctx context.Context) D {
	return r.shown(graphql.GetOperationContext(ctx).Operation.SelectionSet, true)
}

// shown returns the details shown by a selection: those of objects that are read together,
// or all.
func (r *Reads[D]) shown(selections ast.SelectionSet, all bool) (set D) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			if s.ObjectDefinition == nil {
				continue
			}
			about := r.fields[place{s.ObjectDefinition.Name, s.Name}]
			set |= about.shows
			if all || about.along {
				set |= r.shown(s.SelectionSet, all)
			}
		case *ast.InlineFragment:
			set |= r.shown(s.SelectionSet, all)
		case *ast.FragmentSpread:
			set |= r.shown(s.Definition.SelectionSet, all)
		}
	}
	return set
}
