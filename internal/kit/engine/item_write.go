package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// PutItem stores an item, replacing the one with the same key.
func (e *Engine) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	place, err := e.judgePut(in)
	if err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, place)
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
	place, err := e.judgeDelete(in)
	if err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, place)
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
	place, err := e.judgeUpdate(in)
	if err != nil {
		return nil, public(err)
	}
	c, ef, err := e.writeOne(ctx, place)
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

// placing creates the change of a write that has passed all checks that need no table.
// Since work proportional to the request's size has been done, it is called with e.shape
// held.
type placing func() (*change, error)

// writeOne creates one change, applies it and waits until it is on disk.
func (e *Engine) writeOne(ctx context.Context, place placing) (*change, effect, error) {
	if err := e.writable(ctx); err != nil {
		return nil, effect{}, err
	}
	c, effects, wait, err := func() (*change, []effect, func() error, error) {
		e.shape.RLock()
		defer e.shape.RUnlock()
		c, err := place()
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

func (e *Engine) judgePut(in *dynamodb.PutItemInput) (placing, error) {
	if err := legacyPut(in); err != nil {
		return nil, err
	}
	place, err := e.buildPut(in.TableName, in.Item, in.ReturnValues, &expr.Request{
		Condition: in.ConditionExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	return place.answering(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure), err
}

func (e *Engine) judgeDelete(in *dynamodb.DeleteItemInput) (placing, error) {
	if err := legacyDelete(in); err != nil {
		return nil, err
	}
	place, err := e.buildKeyed(raw.Delete, in.TableName, in.Key, in.ReturnValues, &expr.Request{
		Condition: in.ConditionExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	return place.answering(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure), err
}

func (e *Engine) judgeUpdate(in *dynamodb.UpdateItemInput) (placing, error) {
	if err := legacyUpdate(in); err != nil {
		return nil, err
	}
	place, err := e.buildKeyed(raw.Update, in.TableName, in.Key, in.ReturnValues, &expr.Request{
		On:        expr.OnUpdate,
		Condition: in.ConditionExpression,
		Update:    in.UpdateExpression,
		Names:     in.ExpressionAttributeNames,
		Values:    in.ExpressionAttributeValues,
	})
	return place.answering(in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnValuesOnConditionCheckFailure), err
}

// answering records in the change the additional results that its request wants.
func (p placing) answering(capacity types.ReturnConsumedCapacity, values types.ReturnValue, onFailure types.ReturnValuesOnConditionCheckFailure) placing {
	return func() (*change, error) {
		c, err := p()
		if err != nil {
			return nil, err
		}
		c.unpriced = isUnpriced(capacity)
		c.keepOld = values == types.ReturnValueAllOld || values == types.ReturnValueUpdatedOld
		c.keepNew = values == types.ReturnValueAllNew || values == types.ReturnValueUpdatedNew
		c.oldOnFailure = onFailure == types.ReturnValuesOnConditionCheckFailureAllOld
		return c, nil
	}
}

// checkReturnValues validates the ReturnValues of a write of kind a.
func checkReturnValues(a raw.Action, got types.ReturnValue) error {
	switch {
	case a == raw.Update, got == "", got == types.ReturnValueNone, got == types.ReturnValueAllOld:
		return nil
	}
	return invalid("ReturnValues can only be ALL_OLD or NONE")
}

// buildPut performs the checks of a put that need no table. Violations of the table's
// schema become the fault of the change.
func (e *Engine) buildPut(name *string, item Item, returned types.ReturnValue, r *expr.Request) (placing, error) {
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
	return func() (*change, error) { return e.placePut(name, item, p) }, nil
}

func checkItemSize(item Item) error {
	if !value.Fits(item) {
		return errItemSize()
	}
	return nil
}

func errItemSize() error { return invalid("Item size has exceeded the maximum allowed size") }

// placePut returns the change that puts a validated item.
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

// buildKeyed performs the checks of a change of the item with a key that need no table.
func (e *Engine) buildKeyed(a raw.Action, name *string, key Item, returned types.ReturnValue, r *expr.Request) (placing, error) {
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
	return func() (*change, error) { return e.placeKeyed(a, name, key, p) }, nil
}

// placeKeyed returns a change of the item with a validated key, with a fault if the table
// cannot have such items.
func (e *Engine) placeKeyed(a raw.Action, name *string, key Item, p *expr.Program) (*change, error) {
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
