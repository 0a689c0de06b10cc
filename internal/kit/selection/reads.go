// Package selection tells a resolver what its selection needs read, from what the fields
// of the schema say (see package reads).
//
// What counts is everything that comes with an object: fields below that have resolvers
// of their own read for themselves, unless they say that they are read before.
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

// Directive is the name of the directive by which a field says what it reads.
const Directive = "reads"

// Reads knows the details that each field of a schema shows. It is never changed.
type Reads[D ~uint64] struct {
	fields map[place]field[D]
}

// place names a field of a type.
type place struct{ object, field string }

type field[D ~uint64] struct {
	shows D
	// along tells that the values come with their parent: what is selected of them is
	// read with it.
	along bool
}

// ReadsOf learns the directives of a schema. The types tell which fields have resolvers
// of their own. It fails when a field asks for a detail that names does not have, and
// when names has one that no field reads: either is a slip of the pen.
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

// add notes a field of an object, also for those who ask for it through an interface.
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

// comesAlong tells whether the field's values are objects that were read with their
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

// Asked returns the details that the selection of the field at hand shows. Fields under
// @skip and @include count as asked for.
func (r *Reads[D]) Asked(ctx context.Context) D {
	return r.shown(graphql.GetFieldContext(ctx).Field.Selections, false)
}

// Operation returns the details that the operation of ctx shows anywhere: enough for an
// object that several of its fields share.
func (r *Reads[D]) Operation(ctx context.Context) D {
	return r.shown(graphql.GetOperationContext(ctx).Operation.SelectionSet, true)
}

// shown returns the details that a selection shows: of objects that are read together,
// or of all.
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
