package graph

import (
	"stoa/internal/kit/selection"
	"stoa/social"
)

// Reads derives from the schema which details each field reads. It panics if the schema and
// package social disagree on them, since a program with such a schema must not start.
func Reads() *selection.Reads[social.Detail] {
	reads, err := selection.ReadsOf(parsedSchema, planTypes, &social.Details)
	if err != nil {
		panic(err)
	}
	return reads
}
