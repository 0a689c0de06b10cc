package graph

import (
	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/selection"
	"stoa/social"
)

// Reads derives from the schema which details each field reads. It panics if the schema and
// package social disagree on them, since a program with such a schema must not start.
func Reads() *selection.Reads[social.Detail] {
	s := NewExecutableSchema(Config{})
	reads, err := selection.ReadsOf(s.Schema(), s.(gqlplan.Schema).PlanTypes(), &social.Details)
	if err != nil {
		panic(err)
	}
	return reads
}
