package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/itemcodec"
)

// GetItem returns the item with the given key, or an output without an item. Reads are
// always consistent; ConsistentRead only affects the price.
func (e *Engine) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	var item Item
	out, err := e.VisitItem(ctx, in, func(stored itemcodec.View, part Item) (err error) {
		if item = part; part == nil {
			item, err = stored.Item()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Item = item
	return out, nil
}

// VisitItem is GetItem for callers that read the item in its stored form. The output has no
// item, and visit is not called if there is none.
func (e *Engine) VisitItem(ctx context.Context, in *dynamodb.GetItemInput, visit Visitor) (*dynamodb.GetItemOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	t, storedKey, p, err := e.lookup(in)
	if err != nil {
		return nil, public(err)
	}
	size := 0
	var read readings
	if err := e.latest(&read, storedKey); err != nil {
		return nil, err
	}
	err = read.visit(e, t, 0, func(v itemcodec.View) error {
		if !v.Exists() {
			return nil
		}
		size = v.Size()
		x := newProjector(p)
		return x.present(v, visit)
	})
	if err != nil {
		return nil, err
	}
	u := units{table: readUnits(size, aws.ToBool(in.ConsistentRead))}
	return &dynamodb.GetItemOutput{ConsumedCapacity: consumed(in.ReturnConsumedCapacity, t, u, neither)}, nil
}

// lookup validates a GetItem request and returns the stored key of its item.
func (e *Engine) lookup(in *dynamodb.GetItemInput) (*table, []byte, *expr.Program, error) {
	if err := refuseLegacy(attributesToGet(in.AttributesToGet)); err != nil {
		return nil, nil, nil, err
	}
	r := &expr.Request{Projection: in.ProjectionExpression, Names: in.ExpressionAttributeNames}
	key, err := judgeKey(in.Key, r)
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := expr.Compile(r)
	if err != nil {
		return nil, nil, nil, err
	}
	t, err := e.table(in.TableName)
	if err != nil {
		return nil, nil, nil, err
	}
	storedKey, err := t.storedKey(key)
	if err != nil {
		return nil, nil, nil, err
	}
	return t, storedKey, p, t.checkPaths(p)
}

// storedKey validates key, whose values have been validated before, and returns the stored
// key of its item.
func (t *table) storedKey(key Item) ([]byte, error) {
	if err := t.checkKey(key); err != nil {
		return nil, err
	}
	storedKey, ok := appendKey(make([]byte, 0, 96), &t.relation, key)
	if !ok {
		return nil, errKeySchema()
	}
	return storedKey, nil
}

// read calls visit with the item at storedKey, if there is one. The view is valid until
// visit returns.
func (e *Engine) read(from pebble.Reader, t *table, storedKey []byte, visit func(itemcodec.View) error) error {
	data, closer, err := from.Get(storedKey)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("engine: read: %w", err)
	}
	defer closer.Close()
	return e.view(t, data, visit)
}

// view calls visit with a stored item of t.
func (e *Engine) view(t *table, data []byte, visit func(itemcodec.View) error) error {
	v, err := itemcodec.Open(t.names, data)
	if err == nil {
		err = visit(v)
	}
	return e.noteDamage(t.Name, err)
}

// noteDamage returns err, and logs it if it is due to invalid stored bytes, because the
// disk must then be checked.
func (e *Engine) noteDamage(table string, err error) error {
	if !errors.Is(err, itemcodec.ErrCorrupt) {
		return err
	}
	e.log.Error("stored item is damaged", "table", table, "error", err)
	return fmt.Errorf("engine: table %s: %w", table, err)
}
