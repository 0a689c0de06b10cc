package keyspec

import (
	"context"
	"fmt"
	"iter"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Page selects a page of a Range.
type Page struct {
	// Limit is the maximum number of items, at least 1.
	Limit int
	// After is the cursor returned with the previous page; "" selects the first page.
	After string
	// Descending starts at the end of the range.
	Descending bool
}

// Page returns a page of the range, in the order of the sort key. The cursor is "" if and
// only if no items follow. It fails with ErrCursor if After does not belong to this range
// and order.
//
// Items of a keys-only index have only the fields contained in its keys.
func (r Range[T]) Page(ctx context.Context, db *DB, p Page) (items []T, next string, err error) {
	next, err = r.page(ctx, db, p, func() unsafe.Pointer {
		if items == nil {
			items = make([]T, 0, min(p.Limit, 24))
		}
		items = append(items, *new(T))
		return unsafe.Pointer(&items[len(items)-1])
	})
	if err != nil {
		return nil, "", err
	}
	return items, next, nil
}

// All iterates over the whole range in ascending order, reading pages ahead. It stops at
// the first error.
func (r Range[T]) All(ctx context.Context, db *DB) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := (Page{Limit: 100}); ; {
			items, next, err := r.Page(ctx, db, page)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			page.After = next
		}
	}
}

// page reads items into structs returned by fresh, one for each item.
func (b *bounds) page(ctx context.Context, db *DB, p Page, fresh func() unsafe.Pointer) (next string, err error) {
	if p.Limit < 1 {
		return "", fmt.Errorf("keyspec: a page of %d items, expected at least 1", p.Limit)
	}
	var last *position
	if p.After != "" {
		at, err := b.after(p)
		if err != nil {
			return "", err
		}
		last = &at
	}
	if b.empty {
		return "", nil
	}
	read, left := 0, false
	take := func(decode decodeItem) error {
		// Reading one more item than requested shows whether there is a next page.
		if left = read == p.Limit; left {
			return nil
		}
		read++
		at, err := decode(fresh())
		last = &at
		return err
	}
	for more := true; more && !left; {
		if more, err = b.query(ctx, db, query{last, p.Limit - read + 1, p.Descending}, take); err != nil {
			return "", err
		}
	}
	if !left {
		return "", nil
	}
	return b.cursor(*last, p.Descending)
}

// query is one request for items of a range.
type query struct {
	after      *position
	limit      int
	descending bool
}

// decodeItem fills the item at p and returns its position.
type decodeItem func(p unsafe.Pointer) (position, error)

// query is the only place where ranges are read. It passes the items to take in order and
// reports whether there may be more.
func (b *bounds) query(ctx context.Context, db *DB, q query, take func(decodeItem) error) (more bool, err error) {
	if db.raw != nil {
		return b.queryRaw(ctx, db, q, take)
	}
	out, err := db.client.Query(ctx, b.request(db, q))
	if err != nil {
		return false, fmt.Errorf("keyspec: query %s of row %s: %w", b.on.index.Name, b.row, err)
	}
	if err := spend(ctx, out.Items...); err != nil {
		return false, fmt.Errorf("keyspec: query %s of row %s: %w", b.on.index.Name, b.row, err)
	}
	for _, item := range out.Items {
		err := take(func(p unsafe.Pointer) (position, error) {
			at := b.positionOf(func(number int) string { return keyText(item, b.row.keyNames[number]) })
			return at, b.row.decode(item, b.on.index, p)
		})
		if err != nil {
			return false, err
		}
	}
	return len(out.LastEvaluatedKey) > 0, nil
}

func (b *bounds) request(db *DB, q query) *dynamodb.QueryInput {
	condition, from, to := b.condition()
	in := &dynamodb.QueryInput{
		TableName:                 db.name(b.row.table),
		KeyConditionExpression:    aws.String(condition),
		ExpressionAttributeNames:  map[string]string{"#p": b.on.pkName},
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: b.pk}},
		Limit:                     aws.Int32(int32(q.limit)),
		ScanIndexForward:          aws.Bool(!q.descending),
	}
	if b.on.index == Primary {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = aws.String(b.on.index.Name)
	}
	if from != "" {
		in.ExpressionAttributeNames["#s"] = b.on.skName
		in.ExpressionAttributeValues[":a"] = b.on.sortValue(from, nil)
	}
	if to != "" {
		in.ExpressionAttributeValues[":b"] = b.on.sortValue(to, nil)
	}
	if q.after != nil {
		in.ExclusiveStartKey = map[string]types.AttributeValue{
			b.row.table.PK: &types.AttributeValueMemberS{Value: q.after.pk},
		}
		if b.row.table.SK != "" {
			in.ExclusiveStartKey[b.row.table.SK] = b.row.primary.sortValue(q.after.sk, nil)
		}
		in.ExclusiveStartKey[b.on.pkName] = &types.AttributeValueMemberS{Value: b.pk}
		if b.on.skName != "" {
			in.ExclusiveStartKey[b.on.skName] = b.on.sortValue(q.after.sort, nil)
		}
	}
	return in
}
