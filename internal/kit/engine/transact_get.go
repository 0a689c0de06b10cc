package engine

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// TransactGetItems returns up to 100 items as they were at one moment, in the
// order asked for.
func (e *Engine) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	wanted, err := e.transactionKeys(in.TransactItems)
	if err != nil {
		return nil, public(err)
	}
	moment := e.db.NewSnapshot()
	defer moment.Close()
	out := &dynamodb.TransactGetItemsOutput{Responses: make([]types.ItemResponse, len(wanted))}
	var costs bill
	for i, w := range wanted {
		size := 0
		err := e.read(moment, w.table, w.place, func(v itemcodec.View) error {
			size = v.Size()
			out.Responses[i].Item, err = project(v, w.program)
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
	if err := checkTransactionLength(len(gets)); err != nil {
		return nil, err
	}
	wanted := make([]wantedItem, len(gets))
	seen := make(map[string]bool, len(gets))
	for i, g := range gets {
		if g.Get == nil {
			return nil, invalid("1 validation error detected: Value null at 'transactItems.%d.member.get' failed to satisfy "+
				"constraint: Member must not be null", i+1)
		}
		if err := checkTableName(g.Get.TableName); err != nil {
			return nil, err
		}
		p, err := compile(&expr.Request{Projection: g.Get.ProjectionExpression, Names: g.Get.ExpressionAttributeNames})
		if err != nil {
			return nil, err
		}
		t, err := e.table(g.Get.TableName)
		if err != nil {
			return nil, err
		}
		place, err := t.place(g.Get.Key)
		if err != nil {
			return nil, err
		}
		if err := t.checkPaths(p); err != nil {
			return nil, err
		}
		if seen[string(place)] {
			return nil, invalid("Transaction request cannot include multiple operations on one item")
		}
		seen[string(place)] = true
		wanted[i] = wantedItem{table: t, place: place, key: g.Get.Key, program: p, consistent: true}
	}
	return wanted, nil
}
