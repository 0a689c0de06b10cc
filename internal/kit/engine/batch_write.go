package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
)

const maxBatchWrite = 25

// BatchWriteItem puts and deletes up to 25 items. DynamoDB may carry out a part
// of a batch; here it is always all of it, and at once.
func (e *Engine) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	changes, effects, wait, err := e.writeBatch(ctx, in.RequestItems)
	if err != nil {
		return nil, public(err)
	}
	if err := wait(); err != nil {
		return nil, err
	}
	var costs bill
	for i, ef := range effects {
		costs.add(changes[i].table, ef.units)
	}
	return &dynamodb.BatchWriteItemOutput{
		UnprocessedItems: map[string][]types.WriteRequest{},
		ConsumedCapacity: costs.consumed(in.ReturnConsumedCapacity, neither),
	}, nil
}

func (e *Engine) writeBatch(ctx context.Context, request map[string][]types.WriteRequest) ([]*change, []effect, func() error, error) {
	e.shape.RLock()
	defer e.shape.RUnlock()
	changes, err := e.batchChanges(request)
	if err != nil {
		return nil, nil, nil, err
	}
	effects, wait, err := e.apply(ctx, changes, nil)
	if err == errRefused {
		err = firstRefusal(effects)
	}
	return changes, effects, wait, err
}

func firstRefusal(effects []effect) error {
	i := slices.IndexFunc(effects, func(ef effect) bool { return ef.err != nil })
	return effects[i].err
}

// batchChanges judges a request and makes its changes, table by table in the
// order of their names.
func (e *Engine) batchChanges(request map[string][]types.WriteRequest) ([]*change, error) {
	if len(request) == 0 {
		return nil, invalid("1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: " +
			"Member must have length greater than or equal to 1")
	}
	names := make([]string, 0, len(request))
	count := 0
	for name, writes := range request {
		names = append(names, name)
		count += len(writes)
		if len(writes) == 0 {
			return nil, invalid("1 validation error detected: Value '{%s=[]}' at 'requestItems' failed to satisfy constraint: "+
				"Map value must satisfy constraint: [Member must have length less than or equal to 25, "+
				"Member must have length greater than or equal to 1]", name)
		}
	}
	if count > maxBatchWrite {
		return nil, invalid("Too many items requested for the BatchWriteItem call")
	}
	slices.Sort(names)
	changes := make([]*change, 0, count)
	seen := make(map[string]bool, count)
	for _, name := range names {
		for _, w := range request[name] {
			c, err := e.batchChange(name, w)
			if err != nil {
				return nil, err
			}
			if seen[string(c.place)] {
				return nil, errDuplicateKeys()
			}
			seen[string(c.place)] = true
			changes = append(changes, c)
		}
	}
	return changes, nil
}

func (e *Engine) batchChange(name string, w types.WriteRequest) (*change, error) {
	if (w.PutRequest == nil) == (w.DeleteRequest == nil) {
		return nil, invalid("Supplied AttributeValue has more than one datatypes set, " +
			"must contain exactly one of the supported datatypes")
	}
	if w.DeleteRequest != nil {
		return e.buildKeyed(actionDelete, &name, w.DeleteRequest.Key, &expr.Request{})
	}
	c, err := e.buildPut(&name, w.PutRequest.Item, &expr.Request{})
	if errors.As(err, new(*keyMismatch)) {
		return nil, errKeySchema() // a batch does not say what is wrong with the key
	}
	if err != nil {
		return nil, err
	}
	return c, c.fault
}
