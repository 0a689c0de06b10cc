package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// The puts in this file serve callers that read requests from text: most of a request
// is the item, which becomes stored bytes without the SDK's maps in between. Only what
// is right is put so. A request that is refused is judged again in the SDK's form, so
// which fault is told of, and how, is decided in one place.

// ErrUnusual says that nothing was done, and that the request has to be made in the
// SDK's form to be served or to be told what is wrong with it.
var ErrUnusual = errors.New("engine: the request has to be made in the SDK's form")

// PutFields is PutItem with fields in the place of in.Item, which is ignored. Fields come
// in the order of their names. The engine may put their numbers into canonical notation,
// and their sets in order, where they lie. What PutItem would refuse without a look at
// the item that is there fails with ErrUnusual.
func (e *Engine) PutFields(ctx context.Context, in *dynamodb.PutItemInput, fields []itemcodec.Field) (*dynamodb.PutItemOutput, error) {
	r := directRooms.Get().(*directRoom)
	defer r.release()
	r.openPuts(1)
	return e.putItem(ctx, in, func() (*change, error) { return e.fieldsChange(r, in, fields) })
}

func (e *Engine) fieldsChange(r *directRoom, in *dynamodb.PutItemInput, fields []itemcodec.Field) (*change, error) {
	if legacyPut(in) != nil || checkReturnValues(actionPut, in.ReturnValues) != nil {
		return nil, ErrUnusual
	}
	c, err := e.placeFields(r, 0, in.TableName, fields, &expr.Request{
		Condition: in.ConditionExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	if err != nil {
		return nil, err
	}
	c.asAsked(in)
	return c, nil
}

// placeFields makes the change, the one at i in r, that puts an item given by its fields.
func (e *Engine) placeFields(r *directRoom, i int, table *string, fields []itemcodec.Field, q *expr.Request) (*change, error) {
	c, d := &r.all[i], &r.direct[i]
	r.writes[i] = Write{Kind: WritePut, Table: aws.ToString(table), Fields: fields}
	d.Write = &r.writes[i]
	*c = change{action: actionPut, direct: d}
	sortSets(fields)
	if checkTableName(table) != nil || d.judgeFields() != nil {
		return nil, ErrUnusual
	}
	var err error
	if d.program, err = compile(q); err != nil {
		return nil, ErrUnusual
	}
	if c.table, err = e.table(table); err != nil || c.table.checkPaths(d.program) != nil {
		return nil, ErrUnusual
	}
	if e.learnNames(c.table, d) != nil || c.judgePut(r) != nil || c.fault != nil {
		return nil, ErrUnusual
	}
	c.stripe = stripeOf(c.place)
	return c, nil
}

// sortSets puts sets of texts in order where they lie, as they are stored.
func sortSets(fields []itemcodec.Field) {
	for i := range fields {
		if set, ok := fields[i].Value.(*types.AttributeValueMemberSS); ok {
			slices.Sort(set.Value)
		}
	}
}

// TransactFields is TransactWriteItems with items, given as for PutFields, in the place
// of those of its puts, in their order. What TransactWriteItems would refuse without a
// look at the items that are there fails with ErrUnusual.
func (e *Engine) TransactFields(ctx context.Context, in *dynamodb.TransactWriteItemsInput, items [][]itemcodec.Field) (*dynamodb.TransactWriteItemsOutput, error) {
	puts := 0
	for i := range in.TransactItems {
		if in.TransactItems[i].Put != nil {
			puts++
		}
	}
	if puts != len(items) || puts > maxTransaction {
		return nil, ErrUnusual
	}
	r := directRooms.Get().(*directRoom)
	defer r.release()
	r.openPuts(puts)
	return e.transact(ctx, in, &fieldItems{room: r, items: items})
}

// BatchFields is BatchWriteItem for writes to one table, with items, given as for
// PutFields, in the place of those of its puts, in their order. What BatchWriteItem would
// refuse fails with ErrUnusual.
func (e *Engine) BatchFields(ctx context.Context, in *dynamodb.BatchWriteItemInput, items [][]itemcodec.Field) (*dynamodb.BatchWriteItemOutput, error) {
	if len(in.RequestItems) != 1 { // in a map they have no order
		return nil, ErrUnusual
	}
	puts := 0
	for _, writes := range in.RequestItems {
		for _, w := range writes {
			if w.PutRequest != nil {
				puts++
			}
		}
	}
	if puts != len(items) || puts > maxBatchWrite {
		return nil, ErrUnusual
	}
	r := directRooms.Get().(*directRoom)
	defer r.release()
	r.openPuts(puts)
	return e.batchWrite(ctx, in, &fieldItems{room: r, items: items})
}

// fieldItems are the items of the puts of one request.
type fieldItems struct {
	room  *directRoom
	items [][]itemcodec.Field
	next  int
}

// change makes the change of a put, which has the next item.
func (f *fieldItems) change(e *Engine, w *types.Put) (*change, error) {
	i := f.next
	f.next++
	return e.placeFields(f.room, i, w.TableName, f.items[i], &expr.Request{
		Condition: w.ConditionExpression, Names: w.ExpressionAttributeNames, Values: w.ExpressionAttributeValues})
}

// token makes the token that transactionToken makes of the same actions in the SDK's
// form. It has to be made before any number is put into canonical notation.
func (f *fieldItems) token(text string, actions []types.TransactWriteItem) (*token, error) {
	if checkToken(text) != nil {
		return nil, ErrUnusual
	}
	var d digest
	next := 0
	for _, a := range actions {
		if w := a.Put; w != nil {
			d.begin('p', w.TableName)
			d.fields(f.items[next])
			d.end(w.ConditionExpression, nil, w.ExpressionAttributeNames, w.ExpressionAttributeValues)
			next++
			continue
		}
		d.action(a)
	}
	if d.err != nil {
		return nil, ErrUnusual
	}
	return newToken(text, sha256.Sum256(d.text)), nil
}

// fields writes what item writes of the same attributes.
func (d *digest) fields(fields []itemcodec.Field) {
	d.text = binary.AppendUvarint(d.text, uint64(len(fields)))
	text, err := itemcodec.AppendMap(d.text, fields)
	if err != nil {
		d.err = err
		return
	}
	d.text = text
}
