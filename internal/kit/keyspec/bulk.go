package keyspec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/together"
)

// MaxBulk is the maximum number of items in one BatchWriteItem, bulkWidth the number of
// concurrent calls.
const (
	MaxBulk   = 25
	bulkWidth = 4
)

// Bulk collects puts and deletions that need neither conditions nor atomicity, such as
// idempotent rows. If Run fails, some of them may have been executed.
type Bulk struct {
	db     *DB
	writes []bulkWrite
	at     map[address]int
	err    error
}

type bulkWrite struct {
	table   *Table
	request types.WriteRequest
}

// NewBulk returns an empty bulk write.
func (db *DB) NewBulk() *Bulk { return &Bulk{db: db, at: map[address]int{}} }

// PutIn adds a put of v.
func (e *Entity[T]) PutIn(b *Bulk, v T) {
	item, err := e.encode(unsafe.Pointer(&v))
	if e.spec.Legacy {
		err = fmt.Errorf("keyspec: %s: %w", e, errLegacy)
	}
	b.add(e.keyAt(unsafe.Pointer(&v)), err, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
}

// DeleteIn adds the deletion of an item, which may be absent.
func (e *Entity[T]) DeleteIn(b *Bulk, key Key) {
	e.owns(key)
	b.add(key, key.err, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key.item()}})
}

// add keeps the last write of each item, because a request may contain an item only once.
func (b *Bulk) add(key Key, err error, request types.WriteRequest) {
	if err != nil {
		b.err = errors.Join(b.err, err)
		return
	}
	write := bulkWrite{key.row.table, request}
	if i, again := b.at[key.address()]; again {
		b.writes[i] = write
		return
	}
	b.at[key.address()] = len(b.writes)
	b.writes = append(b.writes, write)
}

// Run executes the writes. If there are none, it does nothing.
func (b *Bulk) Run(ctx context.Context) error {
	if b.err != nil {
		return b.err
	}
	chunks := slices.Collect(slices.Chunk(b.writes, MaxBulk))
	work := make([]together.Work, min(len(chunks), bulkWidth))
	for first := range work {
		work[first] = func(ctx context.Context) error {
			for i := first; i < len(chunks); i += bulkWidth {
				if err := b.write(ctx, chunks[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return together.Do(ctx, work...)
}

// write executes a chunk, repeating what the server leaves unprocessed.
func (b *Bulk) write(ctx context.Context, chunk []bulkWrite) error {
	pending := map[string][]types.WriteRequest{}
	for _, w := range chunk {
		name := *b.db.name(w.table)
		pending[name] = append(pending[name], w.request)
	}
	for attempt := 0; len(pending) > 0; attempt++ {
		if attempt > 0 {
			if err := b.db.pause(ctx, attempt); err != nil {
				return fmt.Errorf("keyspec: bulk write: %w", err)
			}
		}
		var out *dynamodb.BatchWriteItemOutput
		err := b.db.whileBusy(ctx, func() (err error) {
			out, err = b.db.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: pending})
			return err
		})
		if err != nil {
			return fmt.Errorf("keyspec: bulk write: %w", err)
		}
		pending = out.UnprocessedItems
	}
	return nil
}
