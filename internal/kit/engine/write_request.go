package engine

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// writeRequest is a request to put, delete, update or check an item, alone or as an action
// of a transaction.
type writeRequest struct {
	action raw.Action
	table  *string
	item   Item // the item of a put, otherwise the key of one

	condition, update *string
	names             map[string]string
	values            Item

	returned  types.ReturnValue
	onFailure types.ReturnValuesOnConditionCheckFailure
	capacity  types.ReturnConsumedCapacity
}

// actionRequest returns the request of a transaction's action.
func actionRequest(a types.TransactWriteItem, capacity types.ReturnConsumedCapacity) *writeRequest {
	switch {
	case a.ConditionCheck != nil:
		w := a.ConditionCheck
		return &writeRequest{action: raw.Check, table: w.TableName, item: w.Key, condition: w.ConditionExpression,
			names: w.ExpressionAttributeNames, values: w.ExpressionAttributeValues,
			onFailure: w.ReturnValuesOnConditionCheckFailure, capacity: capacity}
	case a.Put != nil:
		w := a.Put
		return &writeRequest{action: raw.Put, table: w.TableName, item: w.Item, condition: w.ConditionExpression,
			names: w.ExpressionAttributeNames, values: w.ExpressionAttributeValues,
			onFailure: w.ReturnValuesOnConditionCheckFailure, capacity: capacity}
	case a.Delete != nil:
		w := a.Delete
		return &writeRequest{action: raw.Delete, table: w.TableName, item: w.Key, condition: w.ConditionExpression,
			names: w.ExpressionAttributeNames, values: w.ExpressionAttributeValues,
			onFailure: w.ReturnValuesOnConditionCheckFailure, capacity: capacity}
	default:
		w := a.Update
		return &writeRequest{action: raw.Update, table: w.TableName, item: w.Key, condition: w.ConditionExpression,
			update: w.UpdateExpression, names: w.ExpressionAttributeNames, values: w.ExpressionAttributeValues,
			onFailure: w.ReturnValuesOnConditionCheckFailure, capacity: capacity}
	}
}

// judge performs the checks of a request that need no table. Violations of the table's
// schema become the fault of the change.
func (e *Engine) judge(w *writeRequest) (preparedWrite, error) {
	r := &expr.Request{Condition: w.condition, Update: w.update, Names: w.names, Values: w.values}
	if w.action == raw.Update {
		r.On = expr.OnUpdate
	}
	item, err := judgeKey(w.item, r)
	if err != nil {
		return nil, err
	}
	if w.action != raw.Update && w.returned != "" && w.returned != types.ReturnValueNone && w.returned != types.ReturnValueAllOld {
		return nil, invalid("ReturnValues can only be ALL_OLD or NONE")
	}
	if w.action == raw.Put && !value.Fits(item) {
		return nil, errItemSize()
	}
	p, err := expr.Compile(r)
	if err != nil {
		return nil, err
	}
	prepare := e.keyedChange
	if w.action == raw.Put {
		prepare = e.putChange
	}
	return func() (*change, error) {
		c, err := prepare(w, item, p)
		if err != nil {
			return nil, err
		}
		c.unpriced = isUnpriced(w.capacity)
		c.keepOld = w.returned == types.ReturnValueAllOld || w.returned == types.ReturnValueUpdatedOld
		c.keepNew = w.returned == types.ReturnValueAllNew || w.returned == types.ReturnValueUpdatedNew
		c.oldOnFailure = w.onFailure == types.ReturnValuesOnConditionCheckFailureAllOld
		return c, nil
	}, nil
}
