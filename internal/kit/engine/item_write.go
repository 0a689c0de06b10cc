package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
)

// PutItem stores an item, replacing the one with the same key.
func (e *Engine) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if err := legacyPut(in); err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, &writeRequest{
		action: raw.Put, table: in.TableName, item: in.Item,
		condition: in.ConditionExpression, names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		returned: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure, capacity: in.ReturnConsumedCapacity,
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.PutItemOutput{
		Attributes:       ef.old,
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, c.table, ef.units, neither),
	}, nil
}

// DeleteItem removes an item. Removing a missing item succeeds.
func (e *Engine) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	if err := legacyDelete(in); err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, &writeRequest{
		action: raw.Delete, table: in.TableName, item: in.Key,
		condition: in.ConditionExpression, names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		returned: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure, capacity: in.ReturnConsumedCapacity,
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.DeleteItemOutput{
		Attributes:       ef.old,
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, c.table, ef.units, neither),
	}, nil
}

// UpdateItem changes attributes of an item, which it creates if it does not exist.
func (e *Engine) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := legacyUpdate(in); err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, &writeRequest{
		action: raw.Update, table: in.TableName, item: in.Key, update: in.UpdateExpression,
		condition: in.ConditionExpression, names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		returned: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure, capacity: in.ReturnConsumedCapacity,
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.UpdateItemOutput{
		Attributes:       returned(in.ReturnValues, c.program, ef),
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, c.table, ef.units, neither),
	}, nil
}

// returned returns the attributes requested by an update's ReturnValues.
func returned(want types.ReturnValue, p *expr.Program, ef effect) Item {
	switch want {
	case types.ReturnValueAllOld:
		return ef.old
	case types.ReturnValueAllNew:
		return ef.new
	case types.ReturnValueUpdatedOld:
		return p.Touched(ef.old)
	case types.ReturnValueUpdatedNew:
		return p.Touched(ef.new)
	}
	return nil
}

// preparedWrite creates the change of a write that has passed all checks that need no table.
// Since work proportional to the request's size has been done, it is called with e.shape
// held.
type preparedWrite func() (*change, error)

// writeOne creates one change, applies it and waits until it is on disk.
func (e *Engine) writeOne(ctx context.Context, request *writeRequest) (*change, effect, error) {
	prepare, err := e.judge(request)
	if err != nil {
		return nil, effect{}, err
	}
	if err := e.writable(ctx); err != nil {
		return nil, effect{}, err
	}
	c, effects, wait, err := func() (*change, []effect, func() error, error) {
		if err := e.shareShape(); err != nil {
			return nil, nil, nil, err
		}
		defer e.shape.RUnlock()
		c, err := prepare()
		if err == nil {
			err = c.fault
		}
		if err != nil {
			return nil, nil, nil, err
		}
		effects, wait, err := e.apply(ctx, []*change{c}, nil)
		return c, effects, wait, err
	}()
	if err == errRefused {
		err = effects[0].err
	}
	if err != nil {
		return nil, effect{}, err
	}
	return c, effects[0], wait()
}

func errItemSize() error { return invalid("Item size has exceeded the maximum allowed size") }

// putChange returns the change that puts a validated item.
func (e *Engine) putChange(w *writeRequest, item Item, p *expr.Program) (*change, error) {
	t, err := e.table(w.table)
	if err != nil {
		return nil, err
	}
	if err := t.names.Learn(item, e.recordName(t.ID)); err != nil {
		return nil, err
	}
	data, err := itemcodec.Append(nil, t.names, item)
	if err != nil {
		return nil, err
	}
	c := &change{action: raw.Put, table: t, program: p}
	if c.view, err = itemcodec.Open(t.names, data); err != nil {
		return nil, err
	}
	if _, err := c.appendStoredKey(make([]byte, 0, typicalKeySize)); err != nil || c.hasNoStoredKey() {
		return c, err
	}
	return c, t.checkPaths(p)
}

// keyedChange returns a change of the item with a validated key, with a fault if the table
// cannot have such items.
func (e *Engine) keyedChange(w *writeRequest, key Item, p *expr.Program) (*change, error) {
	t, err := e.table(w.table)
	if err != nil {
		return nil, err
	}
	if err := t.checkKey(key); err != nil {
		return invalidChange(w.action, t, key, err), nil
	}
	if err := p.CheckUpdate(t.keyAttributes...); err != nil {
		return nil, err
	}
	c, err := newChange(w.action, t, key, p)
	if err != nil {
		return nil, err
	}
	if c.fault = t.checkAssignedTypes(c); c.fault != nil {
		return c, nil
	}
	return c, t.checkPaths(p)
}
