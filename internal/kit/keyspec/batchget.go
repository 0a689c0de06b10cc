package keyspec

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/together"
)

// maxBatchGet is the maximum number of keys in one BatchGetItem.
const maxBatchGet = 100

// Batch reads items of any rows and tables together: up to 100 distinct keys in one round
// trip, more with several concurrent calls. Reads are consistent. A Batch can be used once
// and not concurrently.
type Batch struct {
	db *DB
	// order lists the wanted items without duplicates. If it is long, slots is its index: a
	// hash table with open addressing that contains positions in order plus 1, and 0 for
	// free slots.
	order []wanted
	slots []int32
	// positions holds the position in order of each requested key, or invalidKey.
	positions []int
}

// invalidKey is the position of an invalid key.
const invalidKey = -1

// manyWanted is the number of keys from which a hash table is faster than a linear search.
const manyWanted = 16

// typicalWanted is the number of keys of a user with the viewer's relations to them.
const typicalWanted = 7

// keySeed is the seed for hashing keys of all batches.
var keySeed = maphash.MakeSeed()

// wanted is one requested item, which may have been requested several times.
type wanted struct {
	key   Key
	found unsafe.Pointer
}

// NewBatch returns an empty batch.
func (db *DB) NewBatch() *Batch { return &Batch{db: db} }

// Fetched are the items of one Fetch, in the order of its keys.
type Fetched[T any] struct {
	batch   *Batch
	from, n int
}

// Fetch requests items. They are available from the result once the batch has run. A key
// that is requested again is read once, and the results share the item.
func (e *Entity[T]) Fetch(b *Batch, keys ...Key) Fetched[T] {
	return e.FetchEach(b, len(keys), func(i int) Key { return keys[i] })
}

// FetchEach is Fetch for n keys.
func (e *Entity[T]) FetchEach(b *Batch, n int, key func(i int) Key) Fetched[T] {
	return Fetched[T]{b, b.fetch(e.row, n, key), n}
}

// fetch is FetchEach for all types. It returns the number of keys that had been requested.
func (b *Batch) fetch(r *row, n int, key func(i int) Key) (from int) {
	from = len(b.positions)
	if more := len(b.order) + n; more > cap(b.order) {
		// Fetching many items is usually followed by fetching as many related ones.
		capacity := max(3*n, typicalWanted)
		b.order, b.positions = slices.Grow(b.order, capacity), slices.Grow(b.positions, capacity)
	}
	for i := range n {
		k := key(i)
		r.owns(k)
		b.positions = append(b.positions, b.want(k))
	}
	return from
}

// want returns the position of a key.
func (b *Batch) want(key Key) int {
	if key.err != nil {
		return invalidKey
	}
	position := len(b.order)
	if position < manyWanted {
		for i := range b.order {
			if b.order[i].key.is(&key) {
				return i
			}
		}
	} else {
		if 2*position >= len(b.slots) {
			b.index(4 * max(position, cap(b.order)/2))
		}
		slot := b.slot(&key)
		if taken := b.slots[slot]; taken != 0 {
			return int(taken) - 1
		}
		b.slots[slot] = int32(position) + 1
	}
	b.order = append(b.order, wanted{key: key})
	return position
}

// index creates a hash table with at least n slots.
func (b *Batch) index(n int) {
	b.slots = make([]int32, 1<<bits.Len(uint(n-1)))
	for i := range b.order {
		b.slots[b.slot(&b.order[i].key)] = int32(i) + 1
	}
}

// slot returns the slot of a key, or a free one for it.
func (b *Batch) slot(key *Key) int {
	hash := maphash.String(keySeed, key.pk) ^ bits.RotateLeft64(maphash.String(keySeed, key.sk), 32)
	for slot := int(hash); ; slot++ {
		slot &= len(b.slots) - 1
		if taken := b.slots[slot]; taken == 0 || b.order[taken-1].key.is(key) {
			return slot
		}
	}
}

// Len is the number of keys that were given.
func (f Fetched[T]) Len() int { return f.n }

// At returns the item of the i-th key, or nil if it does not exist.
func (f Fetched[T]) At(i int) *T {
	position := f.batch.positions[f.from+i]
	if position == invalidKey {
		return nil
	}
	return (*T)(f.batch.order[position].found)
}

// Run reads all requested items. A batch without keys makes no call.
func (b *Batch) Run(ctx context.Context) error {
	if len(b.order) <= maxBatchGet {
		return b.read(ctx, b.order)
	}
	var work []together.Work
	for chunk := range slices.Chunk(b.order, maxBatchGet) {
		work = append(work, func(ctx context.Context) error { return b.read(ctx, chunk) })
	}
	return b.db.Together(ctx, work...)
}

// read is the only place where items are read in batches. It repeats requests for items
// that the server leaves unprocessed because a response has become too large or the table
// is throttled.
func (b *Batch) read(ctx context.Context, chunk []wanted) error {
	if len(chunk) == 0 {
		return nil
	}
	if b.db.raw != nil {
		return b.db.readRaw(ctx, chunk)
	}
	pending := make(map[string]types.KeysAndAttributes, len(b.db.tables))
	asked := make(map[address]*wanted, len(chunk))
	for i := range chunk {
		w := &chunk[i]
		asked[w.key.address()] = w
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
		for _, items := range out.Responses {
			if err := spend(ctx, items...); err != nil {
				return fmt.Errorf("keyspec: batch get: %w", err)
			}
		}
		if err := b.take(asked, out.Responses); err != nil {
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

// take decodes items into their elements of order. Chunks have different elements, so they may
// be decoded concurrently.
func (b *Batch) take(asked map[address]*wanted, responses map[string][]map[string]types.AttributeValue) error {
	for name, items := range responses {
		table := b.db.byName[name]
		for _, item := range items {
			w := asked[table.addressOf(item)]
			if w == nil {
				return fmt.Errorf("keyspec: batch get: table %s answered with an item that was not asked for", name)
			}
			p := w.key.row.fresh()
			if err := w.key.row.decode(item, Primary, p); err != nil {
				return err
			}
			w.found = p
		}
	}
	return nil
}
