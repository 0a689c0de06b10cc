package messaging

import "time"

// TopicFilter selects the viewer's subscriptions to be listed.
type TopicFilter struct {
	Since   time.Time
	Kinds   []TopicKind // nil means all
	Deleted bool
}

// Listing selects the messages of a topic to be listed.
type Listing struct {
	// Operation is the name of the operation or field, for error messages.
	Operation, Topic string
	Span
	OldestFirst bool
}
