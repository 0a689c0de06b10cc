package gqlplan

import (
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// maxConditions is the maximum number of variables in @skip and @include of an
	// operation.
	maxConditions = 8
	// maxVariants is the maximum number of plans kept for one operation. Clients usually
	// show or hide a part or two; one that uses all combinations has a plan made for each
	// request.
	maxVariants = 4
)

// Operation holds the plans of one operation of a validated document. It is safe for
// concurrent use.
type Operation struct {
	types      map[string]*Type
	document   *ast.QueryDocument
	definition *ast.OperationDefinition
	// conditions are the variables that determine the selection. If there are none, the
	// only plan is compiled at once and kept in only.
	conditions []string
	only       *Plan

	mu       sync.Mutex
	variants []variant
	room     int
	most     int
}

// variant is the plan for one combination of the conditions' values, with a bit for each.
type variant struct {
	answers uint
	plan    *Plan
}

// NewOperation returns an operation of a document. Its plans may have a total of maxFields
// fields: fragments that spread each other multiply the selections of a short text.
func NewOperation(schema Schema, document *ast.QueryDocument, definition *ast.OperationDefinition, maxFields int) *Operation {
	o := &Operation{types: schema.PlanTypes(), document: document, definition: definition, room: maxFields}
	if definition.Operation == ast.Subscription {
		o.types, o.room = nil, 0
		return o
	}
	o.conditions = conditions(definition.SelectionSet, map[string]bool{}, nil)
	if len(o.conditions) == 0 {
		o.only, o.room = compile(o.types, document, definition, nil, maxFields)
	}
	o.most = o.room
	return o
}

// MostFields returns the maximum number of fields of the operation's plans.
func (o *Operation) MostFields() int { return o.most }

// Plan returns the plan for a request with these variables, or nil if none is kept: Exec then
// executes the request.
func (o *Operation) Plan(variables map[string]any) *Plan {
	if len(o.conditions) == 0 {
		return o.only
	}
	if len(o.conditions) > maxConditions {
		return nil
	}
	var answers uint
	for i, name := range o.conditions {
		answer, ok := variables[name].(bool)
		if !ok {
			return nil // Exec reports the null
		}
		if answer {
			answers |= 1 << i
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, v := range o.variants {
		if v.answers == answers {
			return v.plan
		}
	}
	if len(o.variants) == maxVariants {
		return nil
	}
	plan, fields := compile(o.types, o.document, o.definition, variables, o.room)
	o.room -= fields
	o.variants = append(o.variants, variant{answers, plan})
	return plan
}

// conditions returns the variables in @skip and @include, without duplicates.
func conditions(set ast.SelectionSet, spread map[string]bool, found []string) []string {
	for _, selection := range set {
		var directives ast.DirectiveList
		var below ast.SelectionSet
		switch s := selection.(type) {
		case *ast.Field:
			directives, below = s.Directives, s.SelectionSet
		case *ast.InlineFragment:
			directives, below = s.Directives, s.SelectionSet
		case *ast.FragmentSpread:
			directives = s.Directives
			if !spread[s.Name] {
				spread[s.Name] = true
				below = s.Definition.SelectionSet
			}
		}
		for _, d := range directives {
			if d.Name != "skip" && d.Name != "include" {
				continue
			}
			for _, a := range d.Arguments {
				if a.Value.Kind == ast.Variable && !slices.Contains(found, a.Value.Raw) {
					found = append(found, a.Value.Raw)
				}
			}
		}
		found = conditions(below, spread, found)
	}
	return found
}
