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

// Page asks for a part of a Range.
type Page struct {
	// Limit is the most items to read, at least 1.
	Limit int
	// After is the cursor that the page before gave; "" asks for the first page.
	After string
	// Descending starts at the end of the range.
	Descending bool
}

// Page reads a page of the range, in the order of the sort key. The cursor is ""
// exactly when nothing follows. It fails with ErrCursor when After is not from this
// range and order.
//
// Items of an index that has keys only come with the fields that stand in its keys.
func (r Range[T]) Page(ctx context.Context, db *DB, p Page) (items []T, next string, err error) {
	next, err = r.page(ctx, db, p, func() unsafe.Pointer {
		items = append(items, *new(T))
		return unsafe.Pointer(&items[len(items)-1])
	})
	if err != nil {
		return nil, "", err
	}
	return items, next, nil
}

// All walks the whole range in ascending order, reading ahead by the page. It ends
// at the first error.
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

// page reads into places that fresh makes, one for each item.
func (b *bounds) page(ctx context.Context, db *DB, p Page, fresh func() unsafe.Pointer) (next string, err error) {
	if p.Limit < 1 {
		return "", fmt.Errorf("keyspec: a page of %d items, expected at least 1", p.Limit)
	}
	var start map[string]types.AttributeValue
	if p.After != "" {
		if start, err = b.startAfter(p); err != nil {
			return "", err
		}
	}
	if b.empty {
		return "", nil
	}
	var last map[string]types.AttributeValue
	read := 0
	for {
		// One item more than asked for tells whether there is a next page.
		out, err := b.query(ctx, db, start, p.Limit-read+1, p.Descending)
		if err != nil {
			return "", err
		}
		for _, item := range out.Items {
			if read == p.Limit {
				return b.cursor(last, p.Descending)
			}
			if err := b.row.decode(item, b.on.index, fresh()); err != nil {
				return "", err
			}
			read++
			last = item
		}
		if len(out.LastEvaluatedKey) == 0 {
			return "", nil
		}
		start = out.LastEvaluatedKey
	}
}

// query is the one place where ranges are read.
func (b *bounds) query(ctx context.Context, db *DB, start map[string]types.AttributeValue, limit int, descending bool) (*dynamodb.QueryOutput, error) {
	condition, from, to := b.condition()
	in := &dynamodb.QueryInput{
		TableName:                 db.name(b.row.table),
		KeyConditionExpression:    aws.String(condition),
		ExpressionAttributeNames:  map[string]string{"#p": b.on.pkName},
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: b.pk}},
		ExclusiveStartKey:         start,
		Limit:                     aws.Int32(int32(limit)),
		ScanIndexForward:          aws.Bool(!descending),
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
	out, err := db.client.Query(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("keyspec: query %s of row %s: %w", b.on.index.Name, b.row, err)
	}
	return out, nil
}
