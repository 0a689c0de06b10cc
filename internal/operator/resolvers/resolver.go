// Package resolvers resolves the fields of the operator API by calling its service.
//
// A resolver takes its arguments, makes one call and returns the result.
package resolvers

import (
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/optional"
	"stoa/internal/operator"
)

// Resolver resolves all fields.
type Resolver struct {
	*operator.Service
	// Gather is how long a field waits for others of its operation, to batch reads of the
	// same kind; 0 means batch.Wait.
	Gather time.Duration
}

// ruling returns what the arguments of a mutation decide.
func ruling(v desk.Verdict, note, rule *string) operator.Ruling {
	return operator.Ruling{Verdict: v, Note: optional.Or(note, ""), Rule: optional.Or(rule, "")}
}
