package keyspec

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Get reads one item with a consistent read. It returns nil if the item does not exist.
func (e *Entity[T]) Get(ctx context.Context, db *DB, key Key) (*T, error) {
	if key.err != nil {
		return nil, nil
	}
	e.owns(key)
	v := new(T)
	found, err := db.get(ctx, key, unsafe.Pointer(v))
	if err != nil || !found {
		return nil, err
	}
	return v, nil
}

// get is the only place where single items are read.
func (db *DB) get(ctx context.Context, key Key, p unsafe.Pointer) (found bool, err error) {
	if db.raw != nil {
		return db.getRaw(ctx, key, p)
	}
	out, err := db.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      db.name(key.row.table),
		Key:            key.item(),
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return false, fmt.Errorf("keyspec: get %s: %w", key, err)
	}
	if len(out.Item) == 0 {
		return false, nil
	}
	if err := spend(ctx, out.Item); err != nil {
		return false, fmt.Errorf("keyspec: get %s: %w", key, err)
	}
	return true, key.row.decode(out.Item, Primary, p)
}

// owns panics if a key was created by another entity.
func (r *row) owns(key Key) {
	if key.row != r {
		panic(fmt.Sprintf("keyspec: key %s is not of row %s", key, r))
	}
}
