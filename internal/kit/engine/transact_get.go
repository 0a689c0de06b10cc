package engine

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// TransactGetItems returns up to 100 items from one snapshot, in the requested order.
func (e *Engine) TransactGetItems(
	ctx context.Context,
	in *dynamodb.TransactGetItemsInput,
	_ ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	wanted, err := e.transactionKeys(in.TransactItems)
	if err != nil {
		return nil, public(err)
	}
	if err := e.use(); err != nil {
		return nil, err
	}
	defer e.endUse()
	snapshot := e.db.NewSnapshot()
	defer snapshot.Close()
	out := &dynamodb.TransactGetItemsOutput{Responses: make([]types.ItemResponse, len(wanted))}
	var costs bill
	for i, w := range wanted {
		size := 0
		err := e.read(snapshot, w.table, w.storedKey, func(v itemcodec.View) error {
			size = v.Size()
			shown := newProjector(w.program)
			out.Responses[i].Item, err = shown.item(v)
			return err
		})
		if err != nil {
			return nil, err
		}
		costs.add(w.table, units{table: transactional * readUnits(size, true)})
	}
	out.ConsumedCapacity = costs.consumed(in.ReturnConsumedCapacity, reading)
	return out, nil
}

func (e *Engine) transactionKeys(gets []types.TransactGetItem) ([]wantedItem, error) {
	wanted := make([]wantedItem, len(gets))
	faults := make([]error, len(gets))
	seen := make(map[string]bool, len(gets))
	for i, g := range gets {
		var err error
		if wanted[i], faults[i], err = e.transactionKey(g.Get); err != nil {
			return nil, err
		}
		if faults[i] != nil {
			continue
		}
		if seen[string(wanted[i].storedKey)] {
			return nil, invalid("Transaction request cannot include multiple operations on one item")
		}
		seen[string(wanted[i].storedKey)] = true
	}
	if slices.ContainsFunc(faults, func(err error) bool { return err != nil }) {
		return nil, cancelledBy(faults)
	}
	return wanted, nil
}

// transactionKey validates a get. A key that does not fit the table is a fault,
// which cancels the transaction; an error refuses the request.
func (e *Engine) transactionKey(get *types.Get) (w wantedItem, fault, err error) {
	r := &expr.Request{Projection: get.ProjectionExpression, Names: get.ExpressionAttributeNames}
	key, err := judgeKey(get.Key, r)
	if err != nil {
		return w, nil, err
	}
	p, err := expr.Compile(r)
	if err != nil {
		return w, nil, err
	}
	t, err := e.table(get.TableName)
	if err != nil {
		return w, nil, err
	}
	w = wantedItem{table: t, key: key, program: p, consistent: true}
	if w.storedKey, fault = t.storedKey(key); fault != nil {
		return w, fault, nil
	}
	return w, nil, t.checkPaths(p)
}
