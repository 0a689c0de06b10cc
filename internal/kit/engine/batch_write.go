package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
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
// order of their names. All values are judged before any key.
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
	writes := make([]batchedWrite, 0, count)
	for _, name := range names {
		if err := checkTableName(&name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(request[name], isEmptyWrite) {
			return nil, errNotOneWrite()
		}
		for _, w := range request[name] {
			judged, err := judgeWrite(name, w)
			if err != nil {
				return nil, err
			}
			writes = append(writes, judged)
		}
	}
	return e.placeWrites(writes)
}

// batchedWrite is one write of a batch.
type batchedWrite struct {
	table string
	put   bool
	item  Item // of a delete the key
}

// judgeWrite judges a write by itself.
func judgeWrite(table string, w types.WriteRequest) (batchedWrite, error) {
	judged := batchedWrite{table: table, put: w.PutRequest != nil}
	var err error
	switch {
	case w.PutRequest != nil && w.DeleteRequest != nil:
		err = errNotOneWrite()
	case judged.put:
		if judged.item, err = value.NormalizeItem(w.PutRequest.Item); err == nil {
			err = checkItemSize(judged.item)
		}
	default:
		judged.item, err = value.NormalizeItem(w.DeleteRequest.Key)
	}
	return judged, err
}

func isEmptyWrite(w types.WriteRequest) bool { return w.PutRequest == nil && w.DeleteRequest == nil }

func errNotOneWrite() error {
	return invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
}

// placeWrites makes the changes of writes, which must be to different items.
func (e *Engine) placeWrites(writes []batchedWrite) ([]*change, error) {
	changes := make([]*change, len(writes))
	for i, w := range writes {
		c, err := e.placeWrite(w)
		if err != nil {
			return nil, err
		}
		if c.isAmong(changes[:i]) {
			return nil, errDuplicateKeys()
		}
		changes[i] = c
	}
	return changes, nil
}

func (e *Engine) placeWrite(w batchedWrite) (c *change, err error) {
	if w.put {
		c, err = e.placePut(&w.table, w.item, plain)
	} else {
		c, err = e.buildKeyed(raw.Delete, &w.table, w.item, "", &expr.Request{})
	}
	if err != nil {
		return nil, err
	}
	if errors.As(c.fault, new(*keyMismatch)) {
		return nil, errKeySchema() // a batch does not say what is wrong with the key
	}
	return c, c.fault
}
