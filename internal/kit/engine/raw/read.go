package raw

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Store provides the equivalents of GetItem, BatchGetItem and Query, and of PutItem,
// UpdateItem, DeleteItem and TransactWriteItems, with the same limits and errors.
type Store interface {
	// ReadItems calls show for those items of a table that exist, in the order of their
	// keys and with the index of each key. Each read is consistent, but together they are
	// not a snapshot.
	ReadItems(ctx context.Context, table string, keys []Key, show func(i int, item Item) error) error
	// ReadRange calls show for the items of a range in order, from one snapshot. It reports
	// whether it stopped at the limit or at the end of a page of 1 MB, so that more may
	// follow.
	ReadRange(ctx context.Context, r Range, show func(item Item) error) (more bool, err error)
	// WriteOne executes one write. It fails like PutItem, UpdateItem and DeleteItem.
	WriteOne(ctx context.Context, w Write) error
	// WriteAll executes all writes or none. It fails like TransactWriteItems with the items
	// of failed conditions.
	WriteAll(ctx context.Context, writes []Write) error
}

// Key is the key of an item. A value is the text of an S, the canonical decimal of an
// N, or the bytes of a B, as the table declares. Sort is ignored by tables without a
// sort key.
type Key struct{ Hash, Sort string }

// Range is a part of one partition of a table or index.
type Range struct {
	Table string
	Index string // empty for the table itself
	Hash  string // the partition, a value as in Key

	// Prefix restricts the range to sort values that begin with it, for S and B.
	Prefix string
	// Low and High are inclusive bounds of the sort values; "" means none. With a Prefix
	// both must be "".
	Low, High string

	// After is the position of the item after which the range starts, in its direction.
	After    *Position
	Backward bool
	// Limit is the maximum number of items; 0 means no limit.
	Limit int
}

// Position is a position within a partition: the sort value and, in an index, the item's
// key in its table.
type Position struct {
	Sort  string
	Owner Key
}

// Item is a stored item. It is valid until show returns; texts and values obtained from it
// remain valid.
type Item interface {
	// Each calls f with every attribute, sorted by name, with its kind, and its text if the
	// kind has one, until f returns false.
	Each(f func(name string, kind Kind, text string) bool) error
	// Value returns the attribute for which Each is calling f, in the SDK's form.
	Value() types.AttributeValue
	// Item returns all attributes in the SDK's form.
	Item() (map[string]types.AttributeValue, error)
}
