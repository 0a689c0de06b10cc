package keyspec

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Row declares one kind of item: its keys and its version.
type Row struct {
	// Version is the version stored with every item. Items of older versions are passed to
	// Upgrade when read.
	Version int
	Key     Keys
	On      Indexes
	// Precision is that of stored times, if it differs from the table's.
	Precision time.Duration
	// Computed are slots derived from an attribute.
	Computed Computed
	// Overlaps lists the sort key templates of other rows that a prefix query for this row
	// would also find. Such queries are refused for this row, and the slot that ends its
	// sort keys must not contain a separator.
	Overlaps []string
	// Legacy rows are read and deleted but never written.
	Legacy bool
	// Upgrade maps a version to a function that converts a copy of an item to the next
	// version.
	Upgrade map[int]func(item map[string]types.AttributeValue) error
}

// Indexes are the keys of a row in the indexes of its table.
type Indexes map[*Index]Keys

// Keys is a pair of key templates: text in which {attribute} is a slot. A template that
// consists of one slot may end in " or text", which is used if the attribute is absent.
type Keys struct {
	PK, SK string
	when   guard
}

// guard is the condition on an attribute for a key to be present.
type guard struct {
	attribute, value string
	not              bool
	// field is the attribute's field; nil means that there is no condition.
	field *field
}

// K returns a pair of key templates.
func K(pk, sk string) Keys { return Keys{PK: pk, SK: sk} }

// When makes the keys present only if attribute, which is text, has this value.
func (k Keys) When(attribute, value string) Keys {
	k.when = guard{attribute: attribute, value: value}
	return k
}

// Unless makes the keys present only if attribute, which is text, does not have this value.
func (k Keys) Unless(attribute, value string) Keys {
	k.when = guard{attribute: attribute, value: value, not: true}
	return k
}

// passes reports whether a value satisfies the guard.
func (g guard) passes(value string) bool { return (value == g.value) != g.not }
