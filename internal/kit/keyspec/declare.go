package keyspec

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Row declares one kind of item: its keys and its version.
type Row struct {
	// Version is stamped on every item put. Items of older versions pass through
	// Upgrade when they are read.
	Version int
	Key     Keys
	On      Indexes
	// Computed are slots that are no attributes but follow from one.
	Computed Computed
	// Overlaps acknowledges the sort key templates of other rows that a query by
	// prefix for this row would meet. Such a query is refused for this row, and the
	// slot that ends its sort keys may hold no separator.
	Overlaps []string
	// Legacy rows are read and deleted but never written.
	Legacy bool
	// Upgrade maps a version to the change that makes the next version of it, on a
	// copy of the item.
	Upgrade map[int]func(item map[string]types.AttributeValue) error
}

// Indexes are the keys of a row in the indexes of its table.
type Indexes map[*Index]Keys

// Keys is a pair of key templates: text in which {attribute} is a slot. A template
// that is one slot may end in " or text": what stands there while it is absent.
type Keys struct {
	PK, SK string
	when   guard
}

// guard is what an attribute must be for a key to be filled.
type guard struct {
	attribute, value string
	not              bool
	// field is the attribute's field, nil for the guard that lets everything pass.
	field *field
}

// K makes a pair of key templates.
func K(pk, sk string) Keys { return Keys{PK: pk, SK: sk} }

// When fills the keys only while attribute, which is text, has this value.
func (k Keys) When(attribute, value string) Keys {
	k.when = guard{attribute: attribute, value: value}
	return k
}

// Unless fills the keys only while attribute, which is text, has another value.
func (k Keys) Unless(attribute, value string) Keys {
	k.when = guard{attribute: attribute, value: value, not: true}
	return k
}

// passes reports whether the attribute may have this value.
func (g guard) passes(value string) bool { return (value == g.value) != g.not }
