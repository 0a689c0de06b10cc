package keyspec

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrExhausted means that a sequence has too few numbers left.
var ErrExhausted = errors.New("keyspec: the sequence is exhausted")

// Sequence is a number attribute that only increases, so that advancing it reserves the
// numbers in between.
type Sequence struct {
	Attribute string
	// First is the first number of the sequence, Last the last.
	First, Last int64
}

// Advance reserves the next n numbers of a sequence in an item, which may be absent, and
// returns the last of them. It takes one write, regardless of concurrent calls. It fails
// with ErrExhausted.
func (e *Entity[T]) Advance(ctx context.Context, db *DB, key Key, s Sequence, n int) (last int64, err error) {
	e.owns(key)
	if key.err != nil {
		return 0, key.err
	}
	if f := e.codec.byName[s.Attribute]; f == nil || !f.isNumber || e.uses(f) {
		return 0, fmt.Errorf("keyspec: %q is no number attribute of %s", s.Attribute, e.codec.typ)
	}
	if s.First-1+int64(n) > s.Last {
		return 0, ErrExhausted
	}
	number := func(n int64) types.AttributeValue {
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	}
	in := &dynamodb.UpdateItemInput{
		TableName:                 db.name(key.row.table),
		Key:                       key.item(),
		UpdateExpression:          aws.String("SET #a = if_not_exists(#a, :start) + :n"),
		ConditionExpression:       aws.String("attribute_not_exists(#a) OR #a <= :most"),
		ExpressionAttributeNames:  map[string]string{"#a": s.Attribute},
		ExpressionAttributeValues: map[string]types.AttributeValue{":start": number(s.First - 1), ":n": number(int64(n)), ":most": number(s.Last - int64(n))},
		ReturnValues:              types.ReturnValueUpdatedNew,
	}
	var out *dynamodb.UpdateItemOutput
	err = db.whileBusy(ctx, func() (err error) {
		out, err = db.client.UpdateItem(ctx, in)
		return err
	})
	if errors.As(err, new(*types.ConditionalCheckFailedException)) {
		return 0, ErrExhausted
	}
	if err != nil {
		return 0, fmt.Errorf("keyspec: advance %s: %w", key, err)
	}
	value, ok := out.Attributes[s.Attribute].(*types.AttributeValueMemberN)
	if !ok {
		return 0, fmt.Errorf("keyspec: advance %s: no number came back", key)
	}
	return strconv.ParseInt(value.Value, 10, 64)
}
