package keyspec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item in the form of the client.
type Item = map[string]types.AttributeValue

// Source is where whole tables are read from, such as a snapshot.
type Source interface {
	// Items calls visit with the items of a table, whose name includes the prefix, starting
	// after the item with the key after unless that is nil. It stops at the first error of
	// visit and returns it.
	Items(ctx context.Context, table string, after Item, visit func(Item) error) error
}

// From returns a DB whose scans, of Walk and Verify among others, read from s. Everything else
// is as in db.
func (db *DB) From(s Source) *DB {
	from := *db
	from.source = s
	return &from
}

// Source returns a source that scans the tables of db, which may change meanwhile.
func (db *DB) Source() Source { return scans{db} }

type scans struct{ db *DB }

func (s scans) Items(ctx context.Context, table string, after Item, visit func(Item) error) error {
	return s.db.scan(ctx, s.db.byName[table], after, visit)
}
