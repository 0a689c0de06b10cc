package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
	"stoa/internal/kit/engine/value"
)

const (
	maxBatchGet = 100
	// maxBatchBytes is the maximum size of a BatchGetItem result; further keys are returned
	// as unprocessed.
	maxBatchBytes = 16 << 20
	// readTogether is the number of items of a batch that are read at once. Some of them
	// may exceed the size of the result.
	readTogether = 20
)

// wantedItem is one key of a batch or transaction that reads.
type wantedItem struct {
	table      *table
	storedKey  []byte
	key        Item // as given
	program    *expr.Program
	consistent bool
}

// BatchGetItem returns up to 100 items by key, in no particular order. Items that do not
// exist are omitted.
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
	var shown projector
	total := 0
	for i, w := range wanted {
		if total >= maxBatchBytes {
			leaveOver(out.UnprocessedKeys, in.RequestItems, wanted[i:])
			break
		}
		if shown.program != w.program {
			shown = newProjector(w.program)
		}
		if i%readTogether == 0 {
			if err := e.latest(&read, storedKeysOf(wanted[i:min(i+readTogether, len(wanted))])...); err != nil {
				return nil, err
			}
		}
		size := 0
		err := read.visit(e, w.table, i%readTogether, func(v itemcodec.View) error {
			if !v.Exists() {
				return nil
			}
			size = v.Size()
			item, err := shown.item(v)
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

func storedKeysOf(items []wantedItem) [][]byte {
	storedKeys := make([][]byte, len(items))
	for i, w := range items {
		storedKeys[i] = w.storedKey
	}
	return storedKeys
}

// leaveOver adds the keys of rest to unprocessed, with the request's options for their
// table.
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

// batchKeys validates a request and returns its keys, ordered by table name. Checks that
// need no table come before the first table is looked up.
func (e *Engine) batchKeys(request map[string]types.KeysAndAttributes) ([]wantedItem, error) {
	names := slices.Sorted(maps.Keys(request))
	gets := make([]batchedGet, len(names))
	count := 0
	for i, name := range names {
		var err error
		if gets[i], err = judgeGet(name, request[name]); err != nil {
			return nil, err
		}
		if count += len(gets[i].keys); count > maxBatchGet {
			return nil, invalid("Too many items requested for the BatchGetItem call")
		}
	}
	wanted := make([]wantedItem, 0, count)
	for _, g := range gets {
		var err error
		if wanted, err = e.appendGets(wanted, g); err != nil {
			return nil, err
		}
	}
	return wanted, nil
}

// batchedGet is the part of a batch that concerns one table.
type batchedGet struct {
	table      string
	given      []Item
	keys       []Item // the given keys, with canonical numbers
	program    *expr.Program
	consistent bool
}

// judgeGet performs the checks of a part of a batch that need no table.
func judgeGet(table string, part types.KeysAndAttributes) (g batchedGet, err error) {
	if err := refuseLegacy(attributesToGet(part.AttributesToGet)); err != nil {
		return g, err
	}
	r := &expr.Request{Projection: part.ProjectionExpression, Names: part.ExpressionAttributeNames}
	g = batchedGet{table: table, given: part.Keys, keys: make([]Item, len(part.Keys)), consistent: aws.ToBool(part.ConsistentRead)}
	if g.program, err = expr.Compile(r); err != nil {
		return g, err
	}
	for i, key := range part.Keys {
		if g.keys[i], err = value.NormalizeItem(key); err != nil {
			return g, err
		}
	}
	if hasTwins(g.keys) {
		return g, errDuplicateKeys()
	}
	return g, nil
}

// hasTwins reports whether two keys are equal, whether or not they are valid for a table.
func hasTwins(keys []Item) bool {
	seen := make(map[string]struct{}, len(keys))
	var text []byte
	for _, key := range keys {
		var err error
		if text, err = itemcodec.AppendValue(text[:0], &types.AttributeValueMemberM{Value: key}); err != nil {
			return false // validated keys have no other types
		}
		seen[string(text)] = struct{}{}
	}
	return len(seen) < len(keys)
}

// appendGets appends the items of g.
func (e *Engine) appendGets(wanted []wantedItem, g batchedGet) ([]wantedItem, error) {
	t, err := e.table(&g.table)
	if err != nil {
		return nil, err
	}
	for i, key := range g.keys {
		storedKey, err := t.storedKey(key)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, wantedItem{t, storedKey, g.given[i], g.program, g.consistent})
	}
	return wanted, t.checkPaths(g.program)
}

func errDuplicateKeys() error { return invalid("Provided list of item keys contains duplicates") }
