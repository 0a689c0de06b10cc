package resolvers

import (
	"context"

	"stoa/graph"
	"stoa/social"
)

// reads holds the details that each field of the schema reads.
var reads = graph.Reads()

// asked returns the details shown by the selection of the current field, which must be read
// with its value.
func asked(ctx context.Context) social.Detail { return reads.Asked(ctx) }
