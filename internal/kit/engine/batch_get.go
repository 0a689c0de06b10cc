package engine

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

const (
	maxBatchGet = 100
	// maxBatchBytes is how much one BatchGetItem returns; keys beyond it come
	// back unprocessed.
	maxBatchBytes = 16 << 20
)

// wantedItem is one key of a batch or transaction that reads.
type wantedItem struct {
	table      *table
	place      []byte
	key        Item // as given
	program    *expr.Program
	consistent bool
}

// BatchGetItem returns up to 100 items by key, in no particular order, leaving
// out those that do not exist.
func (e *Engine) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	wanted, err := e.batchKeys(in.RequestItems)
	if err != nil {
		return nil, public(err)
	}
	out := &dynamodb.BatchGetItemOutput{
		Responses:       make(map[string][]Item, len(in.RequestItems)),
		UnprocessedKeys: map[string]types.KeysAndAttributes{},
	}
	for name := range in.RequestItems {
		out.Responses[name] = []Item{}
	}
	var costs bill
	var read readings
	total := 0
	for i, w := range wanted {
		if total >= maxBatchBytes {
			leaveOver(out.UnprocessedKeys, in.RequestItems, wanted[i:])
			break
		}
		size := 0
		if err := e.latest(&read, w.place); err != nil {
			return nil, err
		}
		err := read.visit(e, w.table, 0, func(v itemcodec.View) error {
			if !v.Exists() {
				return nil
			}
			size = v.Size()
			item, err := project(v, w.program)
			out.Responses[w.table.Name] = append(out.Responses[w.table.Name], item)
			return err
		})
		if err != nil {
			return nil, err
		}
		total += size
		costs.add(w.table, units{table: readUnits(size, w.consistent)})
	}
	out.ConsumedCapacity = costs.consumed(in.ReturnConsumedCapacity, neither)
	return out, nil
}

// leaveOver enters the keys of rest as unprocessed, with what the request said
// about their table.
func leaveOver(unprocessed, request map[string]types.KeysAndAttributes, rest []wantedItem) {
	for _, w := range rest {
		left, begun := unprocessed[w.table.Name]
		if !begun {
			left = request[w.table.Name]
			left.Keys = nil
		}
		left.Keys = append(left.Keys, w.key)
		unprocessed[w.table.Name] = left
	}
}

// batchKeys judges a request and places all keys, table by table in the order
// of their names.
func (e *Engine) batchKeys(request map[string]types.KeysAndAttributes) ([]wantedItem, error) {
	if len(request) == 0 {
		return nil, invalid("1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: " +
			"Member must have length greater than or equal to 1")
	}
	names := make([]string, 0, len(request))
	count := 0
	for name, part := range request {
		names = append(names, name)
		count += len(part.Keys)
		if len(part.Keys) == 0 {
			return nil, invalid("1 validation error detected: Value '[]' at 'requestItems.%s.member.keys' failed to satisfy "+
				"constraint: Member must have length greater than or equal to 1", name)
		}
	}
	if count > maxBatchGet {
		return nil, invalid("Too many items requested for the BatchGetItem call")
	}
	slices.Sort(names)
	wanted := make([]wantedItem, 0, count)
	for _, name := range names {
		var err error
		if wanted, err = e.appendKeys(wanted, name, request[name]); err != nil {
			return nil, err
		}
	}
	return wanted, nil
}

func (e *Engine) appendKeys(wanted []wantedItem, name string, part types.KeysAndAttributes) ([]wantedItem, error) {
	if err := checkTableName(&name); err != nil {
		return nil, err
	}
	if err := refuseLegacy(attributesToGet(part.AttributesToGet)); err != nil {
		return nil, err
	}
	p, err := compile(&expr.Request{Projection: part.ProjectionExpression, Names: part.ExpressionAttributeNames})
	if err != nil {
		return nil, err
	}
	t, err := e.table(&name)
	if err != nil {
		return nil, err
	}
	if err := t.checkPaths(p); err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(part.Keys))
	for _, key := range part.Keys {
		place, err := t.place(key)
		if err != nil {
			return nil, err
		}
		if seen[string(place)] {
			return nil, errDuplicateKeys()
		}
		seen[string(place)] = true
		wanted = append(wanted, wantedItem{t, place, key, p, aws.ToBool(part.ConsistentRead)})
	}
	return wanted, nil
}

func errDuplicateKeys() error { return invalid("Provided list of item keys contains duplicates") }
