package keyspec

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// maxBatchGet is the greatest number of keys in one BatchGetItem.
const maxBatchGet = 100

// Batch reads many items of any rows and tables together: in one round trip up to
// 100 different keys, beyond that in several at a time. Reads are consistent. A
// Batch is used once and by one goroutine.
type Batch struct {
	db     *DB
	wanted map[address]*wanted
	order  []*wanted
}

// wanted is one item asked for, perhaps by several.
type wanted struct {
	key   Key
	found unsafe.Pointer
	// fresh makes a place for the item.
	fresh func() unsafe.Pointer
}

// NewBatch starts an empty batch.
func (db *DB) NewBatch() *Batch { return &Batch{db: db, wanted: map[address]*wanted{}} }

// Fetched are the items of one Fetch, in the order of its keys.
type Fetched[T any] struct{ wanted []*wanted }

// Fetch asks for items. They can be taken from the answer once the batch has run.
// The same key may be asked for again; it is read once and the answers share it.
func (e *Entity[T]) Fetch(b *Batch, keys ...Key) Fetched[T] {
	f := Fetched[T]{make([]*wanted, len(keys))}
	for i, key := range keys {
		e.owns(key)
		if key.err != nil {
			continue
		}
		w := b.wanted[key.address()]
		if w == nil {
			w = &wanted{key: key, fresh: func() unsafe.Pointer { return unsafe.Pointer(new(T)) }}
			b.wanted[key.address()] = w
			b.order = append(b.order, w)
		}
		f.wanted[i] = w
	}
	return f
}

// Len is the number of keys that were given.
func (f Fetched[T]) Len() int { return len(f.wanted) }

// At returns the item of the key given at i, or nil when there is none.
func (f Fetched[T]) At(i int) *T {
	if f.wanted[i] == nil {
		return nil
	}
	return (*T)(f.wanted[i].found)
}

// Run reads everything that was asked for. A batch without keys costs nothing.
func (b *Batch) Run(ctx context.Context) error {
	if len(b.order) <= maxBatchGet {
		return b.read(ctx, b.order)
	}
	var wait sync.WaitGroup
	errs := make([]error, (len(b.order)+maxBatchGet-1)/maxBatchGet)
	for i := range errs {
		chunk := b.order[i*maxBatchGet : min((i+1)*maxBatchGet, len(b.order))]
		wait.Go(func() { errs[i] = b.read(ctx, chunk) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// read is the one place where items are read in batches. What the server leaves
// unprocessed, because an answer grew too large or the table is throttled, is asked
// for again.
func (b *Batch) read(ctx context.Context, chunk []*wanted) error {
	if len(chunk) == 0 {
		return nil
	}
	if b.db.direct != nil {
		return b.db.readDirect(ctx, chunk)
	}
	pending := make(map[string]types.KeysAndAttributes, len(b.db.tables))
	for _, w := range chunk {
		name := *b.db.name(w.key.row.table)
		request := pending[name]
		request.ConsistentRead = aws.Bool(true)
		request.Keys = append(request.Keys, w.key.item())
		pending[name] = request
	}
	for attempt := 0; ; attempt++ {
		out, err := b.db.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: pending})
		if err != nil {
			return fmt.Errorf("keyspec: batch get: %w", err)
		}
		if err := b.take(out.Responses); err != nil {
			return err
		}
		if len(out.UnprocessedKeys) == 0 {
			return nil
		}
		pending = out.UnprocessedKeys
		if len(out.Responses) == 0 {
			if err := b.db.pause(ctx, attempt); err != nil {
				return fmt.Errorf("keyspec: batch get: %w", err)
			}
		}
	}
}

// take decodes items into their places. Chunks fill different places, so they may
// run at the same time.
func (b *Batch) take(responses map[string][]map[string]types.AttributeValue) error {
	for name, items := range responses {
		table := b.db.byName[name]
		for _, item := range items {
			w := b.wanted[table.addressOf(item)]
			if w == nil {
				return fmt.Errorf("keyspec: batch get: table %s answered with an item that was not asked for", name)
			}
			p := w.fresh()
			if err := w.key.row.decode(item, Primary, p); err != nil {
				return err
			}
			w.found = p
		}
	}
	return nil
}
