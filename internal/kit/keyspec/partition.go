package keyspec

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Shelf selects the items of one row from a scan or partition.
type Shelf struct {
	row  *row
	take func(item map[string]types.AttributeValue) error
}

// Each returns a Shelf that passes every item of the row to f.
func (e *Entity[T]) Each(f func(v T)) Shelf {
	return Shelf{e.row, func(item map[string]types.AttributeValue) error {
		v, err := e.Read(item)
		if err == nil {
			f(v)
		}
		return err
	}}
}

// Walk scans a table and passes the items of some rows to their shelves, in no particular
// order. Items written concurrently may or may not be included.
func (db *DB) Walk(ctx context.Context, shelves ...Shelf) error {
	table := shelves[0].row.table
	return db.scan(ctx, table, nil, func(item map[string]types.AttributeValue) error { return shelve(item, table, shelves) })
}

// scan passes the items of a table to visit, in no particular but a stable order, until it
// fails. It starts after the item with the key after, unless that is nil.
func (db *DB) scan(ctx context.Context, table *Table, after map[string]types.AttributeValue, visit func(item map[string]types.AttributeValue) error) error {
	if db.source != nil {
		if err := db.source.Items(ctx, *db.name(table), after, visit); err != nil {
			return fmt.Errorf("keyspec: read table %s: %w", table.Name, err)
		}
		return nil
	}
	in := &dynamodb.ScanInput{TableName: db.name(table), ConsistentRead: aws.Bool(true), ExclusiveStartKey: after}
	for {
		out, err := db.client.Scan(ctx, in)
		if err != nil {
			return fmt.Errorf("keyspec: scan table %s: %w", table.Name, err)
		}
		for _, item := range out.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// IsEmpty reports whether a table has no items. It reads at most one.
func (db *DB) IsEmpty(ctx context.Context, t *Table) (bool, error) {
	out, err := db.client.Scan(ctx, &dynamodb.ScanInput{TableName: db.name(t), ConsistentRead: aws.Bool(true), Limit: aws.Int32(1)})
	if err != nil {
		return false, fmt.Errorf("keyspec: scan table %s: %w", t.Name, err)
	}
	return len(out.Items) == 0, nil
}

// Partition reads all items of several rows in one partition of a table, consistently and
// in the order of their sort keys. It is for partitions that are known to be small. Items
// of other rows are ignored.
func (db *DB) Partition(ctx context.Context, pk string, shelves ...Shelf) error {
	if pk == "" || len(pk) > maxPartitionKey {
		return nil
	}
	table := shelves[0].row.table
	in := &dynamodb.QueryInput{
		TableName:                 db.name(table),
		KeyConditionExpression:    aws.String("#p = :p"),
		ExpressionAttributeNames:  map[string]string{"#p": table.PK},
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: pk}},
		ConsistentRead:            aws.Bool(true),
	}
	for {
		out, err := db.client.Query(ctx, in)
		if err != nil {
			return fmt.Errorf("keyspec: query partition of table %s: %w", table.Name, err)
		}
		if err := spend(ctx, out.Items...); err != nil {
			return fmt.Errorf("keyspec: query partition of table %s: %w", table.Name, err)
		}
		for _, item := range out.Items {
			if err := shelve(item, table, shelves); err != nil {
				return err
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func shelve(item map[string]types.AttributeValue, table *Table, shelves []Shelf) error {
	for _, s := range shelves {
		if s.row.table != table {
			return errors.New("keyspec: rows of several tables share no partition")
		}
		if s.row.has(table.addressOf(item)) {
			return s.take(item)
		}
	}
	return nil
}
