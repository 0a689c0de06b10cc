package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

const maxBatchWrite = 25

// BatchWriteItem puts and deletes up to 25 items. DynamoDB may execute parts of a batch;
// here it is always atomic.
func (e *Engine) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	prepared, err := e.judgeBatch(in)
	if err != nil {
		return nil, public(err)
	}
	changes, effects, wait, err := e.writeBatch(ctx, prepared)
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

// writeBatch creates the changes, which must be for distinct items, and applies them.
func (e *Engine) writeBatch(ctx context.Context, prepared []preparedWrite) ([]*change, []effect, func() error, error) {
	if err := e.shareShape(); err != nil {
		return nil, nil, nil, err
	}
	defer e.shape.RUnlock()
	changes := make([]*change, len(prepared))
	for i, prepare := range prepared {
		c, err := prepare()
		switch {
		case err != nil:
		case errors.As(c.fault, new(*keyMismatch)):
			err = errKeySchema() // in a batch, the error does not say what is wrong
		default:
			err = c.fault
		}
		if err == nil && c.isAmong(changes[:i]) {
			err = errDuplicateKeys()
		}
		if err != nil {
			return nil, nil, nil, err
		}
		changes[i] = c
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

// judgeBatch performs the checks of a request's writes that need no table, in the order of
// table names.
func (e *Engine) judgeBatch(in *dynamodb.BatchWriteItemInput) ([]preparedWrite, error) {
	count := 0
	for _, writes := range in.RequestItems {
		count += len(writes)
	}
	if count > maxBatchWrite {
		return nil, invalid("Too many items requested for the BatchWriteItem call")
	}
	prepared := make([]preparedWrite, 0, count)
	for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
		if slices.ContainsFunc(in.RequestItems[name], isEmptyWrite) {
			return nil, errNotOneWrite()
		}
		for _, w := range in.RequestItems[name] {
			p, err := e.judgeBatched(name, w, in.ReturnConsumedCapacity)
			if err != nil {
				return nil, err
			}
			prepared = append(prepared, p)
		}
	}
	return prepared, nil
}

// judgeBatched performs the checks of one write that need no table.
func (e *Engine) judgeBatched(table string, w types.WriteRequest, capacity types.ReturnConsumedCapacity) (preparedWrite, error) {
	switch {
	case w.PutRequest != nil && w.DeleteRequest != nil:
		return nil, errNotOneWrite()
	case w.DeleteRequest != nil:
		return e.judge(&writeRequest{action: raw.Delete, table: &table, item: w.DeleteRequest.Key, capacity: capacity})
	}
	return e.judge(&writeRequest{action: raw.Put, table: &table, item: w.PutRequest.Item, capacity: capacity})
}

func isEmptyWrite(w types.WriteRequest) bool { return w.PutRequest == nil && w.DeleteRequest == nil }

func errNotOneWrite() error {
	return invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
}
