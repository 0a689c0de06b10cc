package keyspec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
)

// Direct is implemented by clients in the same process that can show and take items
// without making the SDK's maps of them, which costs more than finding and storing
// them. It answers what GetItem, BatchGetItem and Query would, and does what PutItem,
// DeleteItem and TransactWriteItems would.
//
// A client that wraps another passes this on by two methods: Unwrap, which returns
// the client within, and those of Observer, to see calls that do not pass through it.
// One that is Direct itself is the last to be asked. Where one of them lacks Unwrap, nothing is read or written directly.
type Direct interface {
	// Items shows those items of a table that exist, each with the index of its key.
	Items(ctx context.Context, table string, keys []DirectKey, show func(i int, item DirectItem) error) error
	// Range shows the items of a range in order. More may follow when it reports so.
	Range(ctx context.Context, r DirectRange, show func(item DirectItem) error) (more bool, err error)
	// Transact makes all writes or none. It fails as TransactWriteItems does when it is
	// asked for the items that refuse.
	Transact(ctx context.Context, writes []DirectWrite) error
	// Write makes one write, with the errors of PutItem and DeleteItem.
	Write(ctx context.Context, w DirectWrite) error
}

// DirectKey is the primary key of an item.
type DirectKey struct{ PK, SK string }

// DirectRange is a part of one partition of a table or an index.
type DirectRange struct {
	Table string
	// Index is empty for the table's own key.
	Index string
	PK    string
	// Prefix is what all sort keys begin with. Low and High are the first and the last
	// sort key, and there is no prefix then. Empty ones do not count.
	Prefix, Low, High string
	// After is where the item stands behind which to begin, or nil: its sort key and its
	// primary key.
	After      *DirectPosition
	Descending bool
	// Limit is the most items to show.
	Limit int
}

// DirectPosition is where an item stands in a range.
type DirectPosition struct {
	Sort string
	Key  DirectKey
}

// DirectItem is a stored item. It is valid while it is shown; its texts remain.
type DirectItem interface {
	// Each calls f with every attribute in the order of their names, its kind, and its
	// text where the kind has one, until f returns false.
	Each(f func(name string, kind DirectKind, text string) bool) error
	// Attribute returns one attribute as the SDK has it, or nil.
	Attribute(name string) types.AttributeValue
	// Item returns all of them.
	Item() (map[string]types.AttributeValue, error)
}

// DirectKind is the kind of an attribute as far as it matters to read it directly.
type DirectKind uint8

const (
	// DirectAbsent is the kind of an attribute that an update removes.
	DirectAbsent DirectKind = iota
	DirectText
	DirectNumber
	DirectTrue
	DirectFalse
	// DirectOther attributes have no text: ask for them by Attribute.
	DirectOther
)

// Observer is told of direct calls as if they were those of an operation.
type Observer interface {
	// Observe is called before a call, and keeps nothing of tables. What it returns is
	// called once after.
	Observe(ctx context.Context, operation string, tables ...string) func(error)
}

// findDirect looks through wrapped clients.
func findDirect(client dynamodbiface.DynamoDBAPI) (Direct, []Observer) {
	var observers []Observer
	for {
		if o, ok := client.(Observer); ok {
			observers = append(observers, o)
		}
		if d, ok := client.(Direct); ok {
			return d, observers
		}
		wrapper, ok := client.(interface {
			Unwrap() dynamodbiface.DynamoDBAPI
		})
		if !ok {
			return nil, nil
		}
		client = wrapper.Unwrap()
	}
}

// observe tells all observers of a call and returns how to tell them of its end.
func (db *DB) observe(ctx context.Context, operation string, tables ...string) func(error) {
	if len(db.observers) == 1 {
		return db.observers[0].Observe(ctx, operation, tables...)
	}
	ends := make([]func(error), len(db.observers))
	for i, o := range db.observers {
		ends[i] = o.Observe(ctx, operation, tables...)
	}
	return func(err error) {
		for _, end := range ends {
			end(err)
		}
	}
}
