package graph

import (
	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/selection"
	"stoa/social"
)

// Reads learns from the schema which details its fields show. It panics when schema and
// nouns disagree about them: a program with such a schema must not start.
func Reads() *selection.Reads[social.Detail] {
	s := NewExecutableSchema(Config{})
	reads, err := selection.ReadsOf(s.Schema(), s.(gqlplan.Schema).PlanTypes(), &social.Details)
	if err != nil {
		panic(err)
	}
	return reads
}
