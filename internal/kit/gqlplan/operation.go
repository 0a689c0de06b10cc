package gqlplan

import (
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	// maxConditions bounds the variables that @skip and @include of one operation may
	// ask for.
	maxConditions = 8
	// maxVariants bounds the plans that are kept for one operation. A client shows or
	// hides a part or two; a client that tries all combinations is served without plans.
	maxVariants = 4
)

// Operation holds the plans of one operation of a validated document. It is safe for
// concurrent use.
type Operation struct {
	types      map[string]*Type
	document   *ast.QueryDocument
	definition *ast.OperationDefinition
	// conditions are the variables that decide what is selected. The plan of an operation
	// without any is made at once and kept in only.
	conditions []string
	only       *Plan

	mu       sync.Mutex
	variants []variant
	room     int
}

// variant is the plan for one way of answering all conditions, a bit for each.
type variant struct {
	answers uint
	plan    *Plan
}

// NewOperation prepares an operation of a document. Its plans may hold maxFields fields
// together: fragments that spread each other multiply what a short text selects.
func NewOperation(schema Schema, document *ast.QueryDocument, definition *ast.OperationDefinition, maxFields int) *Operation {
	o := &Operation{types: schema.PlanTypes(), document: document, definition: definition, room: maxFields}
	if definition.Operation == ast.Subscription {
		o.types = nil
		return o
	}
	o.conditions = conditions(definition.SelectionSet, map[string]bool{}, nil)
	if len(o.conditions) == 0 {
		o.only, _ = compile(o.types, document, definition, nil, maxFields)
	}
	return o
}

// Plan returns the plan for a request with these variables, or nil if there is none.
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
			return nil // gqlgen knows what to say to a null
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

// conditions returns the variables that @skip and @include ask for, each once.
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
