package resolvers

import (
	"context"

	"stoa/graph"
	"stoa/social"
)

// reads is what the fields of the schema read.
var reads = graph.Reads()

// asked returns the details that the selection of the field at hand shows, to be read
// together with what the field answers.
func asked(ctx context.Context) social.Detail { return reads.Asked(ctx) }
