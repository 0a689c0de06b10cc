package messaging

import "time"

// TopicFilter says which subscriptions of the viewer are listed.
type TopicFilter struct {
	Since   time.Time
	Kinds   []TopicKind // nil is all
	Deleted bool
}

// Listing says which messages of a topic are listed.
type Listing struct {
	// Operation is the operation or field that lists.
	Operation, Topic string
	Span
	OldestFirst bool
}
