package engine

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// PutItem stores an item, in the place of one with the same key.
func (e *Engine) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	ef, t, err := e.writeOne(ctx, func() (*change, error) { return e.putChange(in) })
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.PutItemOutput{
		Attributes:       ef.old,
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, t, ef.units, neither),
	}, nil
}

// DeleteItem removes an item. Removing one that is not there succeeds.
func (e *Engine) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	ef, t, err := e.writeOne(ctx, func() (*change, error) { return e.deleteChange(in) })
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.DeleteItemOutput{
		Attributes:       ef.old,
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, t, ef.units, neither),
	}, nil
}

// UpdateItem changes attributes of an item, creating the item when there is
// none.
func (e *Engine) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	var program *expr.Program
	ef, t, err := e.writeOne(ctx, func() (*change, error) {
		c, err := e.updateChange(in)
		if err == nil {
			program = c.program
		}
		return c, err
	})
	if err != nil {
		return nil, public(err)
	}
	return &dynamodb.UpdateItemOutput{
		Attributes:       returned(in.ReturnValues, program, ef),
		ConsumedCapacity: consumed(in.ReturnConsumedCapacity, t, ef.units, neither),
	}, nil
}

// returned picks what an update was asked to give back.
func returned(want types.ReturnValue, p *expr.Program, ef effect) Item {
	switch want {
	case types.ReturnValueAllOld:
		return ef.old
	case types.ReturnValueAllNew:
		return value.CloneItem(ef.new)
	case types.ReturnValueUpdatedOld:
		if ef.old == nil {
			return nil
		}
		return orNothing(p.Touched(ef.old))
	case types.ReturnValueUpdatedNew:
		return orNothing(value.CloneItem(p.Touched(ef.new)))
	}
	return nil
}

func orNothing(item Item) Item {
	if len(item) == 0 {
		return nil
	}
	return item
}

// writeOne builds one change, applies it and waits until it is on disk.
func (e *Engine) writeOne(ctx context.Context, build func() (*change, error)) (effect, *table, error) {
	if err := e.usable(ctx); err != nil {
		return effect{}, nil, err
	}
	c, effects, wait, err := func() (*change, []effect, func() error, error) {
		e.shape.RLock()
		defer e.shape.RUnlock()
		c, err := build()
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
		return effect{}, nil, err
	}
	return effects[0], c.table, wait()
}

func (e *Engine) putChange(in *dynamodb.PutItemInput) (*change, error) {
	if err := legacyPut(in); err != nil {
		return nil, err
	}
	c, err := e.buildPut(in.TableName, in.Item, in.ReturnValues, &expr.Request{
		Condition: in.ConditionExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	if err != nil {
		return nil, err
	}
	c.answers(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	return c, c.fault
}

func (e *Engine) deleteChange(in *dynamodb.DeleteItemInput) (*change, error) {
	if err := legacyDelete(in); err != nil {
		return nil, err
	}
	c, err := e.buildKeyed(raw.Delete, in.TableName, in.Key, in.ReturnValues, &expr.Request{
		Condition: in.ConditionExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	if err != nil {
		return nil, err
	}
	c.answers(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	return c, c.fault
}

func (e *Engine) updateChange(in *dynamodb.UpdateItemInput) (*change, error) {
	if err := legacyUpdate(in); err != nil {
		return nil, err
	}
	c, err := e.buildKeyed(raw.Update, in.TableName, in.Key, in.ReturnValues, &expr.Request{
		On:        expr.OnUpdate,
		Condition: in.ConditionExpression,
		Update:    in.UpdateExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	if err != nil {
		return nil, err
	}
	c.answers(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure)
	return c, c.fault
}

// answers notes what a request wants to know beside whether it succeeded.
func (c *change) answers(capacity types.ReturnConsumedCapacity, values types.ReturnValue, onFailure types.ReturnValuesOnConditionCheckFailure) {
	c.unpriced = isUnpriced(capacity)
	c.keepOld = values == types.ReturnValueAllOld || values == types.ReturnValueUpdatedOld
	c.oldOnFailure = onFailure == types.ReturnValuesOnConditionCheckFailureAllOld
}

// checkReturnValues judges what a write of kind a is asked to give back.
func checkReturnValues(a raw.Action, got types.ReturnValue) error {
	switch got {
	case "", types.ReturnValueNone, types.ReturnValueAllOld:
		return nil
	}
	if !slices.Contains(got.Values(), got) {
		return invalid("1 validation error detected: Value '%s' at 'returnValues' failed to satisfy constraint: "+
			"Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]", got)
	}
	if a != raw.Update {
		return invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	return nil
}

// buildPut makes the change that puts item. What concerns the item alone is judged
// before the table is looked up, as DynamoDB does; what the table says against it is
// the fault of the change.
func (e *Engine) buildPut(name *string, item Item, returned types.ReturnValue, r *expr.Request) (*change, error) {
	if err := checkTableName(name); err != nil {
		return nil, err
	}
	if err := r.CheckUse(); err != nil {
		return nil, err
	}
	item, err := value.NormalizeItem(item)
	if err != nil {
		return nil, err
	}
	if err := checkReturnValues(raw.Put, returned); err != nil {
		return nil, err
	}
	if err := checkItemSize(item); err != nil {
		return nil, err
	}
	p, err := compile(r)
	if err != nil {
		return nil, err
	}
	return e.placePut(name, item, p)
}

func checkItemSize(item Item) error {
	if value.ItemSize(item) > value.MaxItemSize {
		return errItemSize()
	}
	return nil
}

func errItemSize() error { return invalid("Item size has exceeded the maximum allowed size") }

// placePut makes the change that puts an item which was judged before.
func (e *Engine) placePut(name *string, item Item, p *expr.Program) (*change, error) {
	t, err := e.table(name)
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
	if _, err := c.placeItem(make([]byte, 0, typicalPlace)); err != nil || c.isNowhere() {
		return c, err
	}
	return c, t.checkPaths(p)
}

// buildKeyed makes a change to the item with the given key, with a fault when the table
// has no such items.
func (e *Engine) buildKeyed(a raw.Action, name *string, key Item, returned types.ReturnValue, r *expr.Request) (*change, error) {
	if err := checkTableName(name); err != nil {
		return nil, err
	}
	key, err := judgeKey(key, r)
	if err != nil {
		return nil, err
	}
	if err := checkReturnValues(a, returned); err != nil {
		return nil, err
	}
	p, err := compile(r)
	if err != nil {
		return nil, err
	}
	t, err := e.table(name)
	if err != nil {
		return nil, err
	}
	if err := t.checkKey(key); err != nil {
		return nowhere(a, t, key, err), nil
	}
	if err := p.CheckUpdate(t.keyAttributes...); err != nil {
		return nil, err
	}
	c, err := newChange(a, t, key, p)
	if err != nil {
		return nil, err
	}
	if c.fault = t.checkAssignedTypes(c); c.fault != nil {
		return c, nil
	}
	return c, t.checkPaths(p)
}
