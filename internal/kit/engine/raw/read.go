package raw

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Store answers what GetItem, BatchGetItem and Query would, and does what PutItem,
// UpdateItem, DeleteItem and TransactWriteItems would, with the same limits and errors.
type Store interface {
	// ReadItems calls show for those items of a table that exist, in the order of their
	// keys and with the index of each key. Each item is up to date; together they are not
	// one moment.
	ReadItems(ctx context.Context, table string, keys []Key, show func(i int, item Item) error) error
	// ReadRange calls show for the items of a range in order, as of one moment. It reports
	// whether it stopped at the limit or at the end of a page of 1 MB, so that more may
	// follow.
	ReadRange(ctx context.Context, r Range, show func(item Item) error) (more bool, err error)
	// WriteOne makes one write. It fails as PutItem, UpdateItem and DeleteItem do.
	WriteOne(ctx context.Context, w Write) error
	// WriteAll makes all writes or none. It fails as TransactWriteItems does when it is
	// asked for the items that refuse.
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

	// Prefix keeps to sort values that begin with it, for S and B.
	Prefix string
	// Low and High bound the sort values, both included; "" is no bound. With a Prefix
	// both must be "".
	Low, High string

	// After is the position of the item behind which the range begins, in its direction.
	After    *Position
	Backward bool
	// Limit is how many items are shown at most; 0 is no limit.
	Limit int
}

// Position is a place within a partition: the sort value and, in an index, the key that
// the item has in its table.
type Position struct {
	Sort  string
	Owner Key
}

// Item is a stored item. It is valid until show returns; texts and values taken from it
// remain valid.
type Item interface {
	// Each calls f with every attribute in the order of their names, its kind, and its
	// text where the kind has one, until f returns false.
	Each(f func(name string, kind Kind, text string) bool) error
	// Attribute returns one attribute in the SDK's form, or nil.
	Attribute(name string) types.AttributeValue
	// Item returns all attributes in the SDK's form.
	Item() (map[string]types.AttributeValue, error)
}
