package engine

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// transactionToken returns the token of a transaction. Its digest covers all parameters
// that affect the transaction, so that a repetition can be distinguished from another
// request with the same token.
func transactionToken(text string, actions []types.TransactWriteItem) (*token, error) {
	var d digest
	for _, a := range actions {
		d.action(a)
	}
	if d.err != nil {
		return nil, d.err
	}
	return newToken(text, d.text), nil
}

// digest encodes requests unambiguously: every part is preceded by its length, and maps are
// sorted by name.
type digest struct {
	text []byte
	err  error
}

func (d *digest) action(a types.TransactWriteItem) {
	if w := a.ConditionCheck; w != nil {
		d.write('c', w.TableName, w.Key, w.ConditionExpression, nil, w.ExpressionAttributeNames, w.ExpressionAttributeValues)
	}
	if w := a.Put; w != nil {
		d.write('p', w.TableName, w.Item, w.ConditionExpression, nil, w.ExpressionAttributeNames, w.ExpressionAttributeValues)
	}
	if w := a.Delete; w != nil {
		d.write('d', w.TableName, w.Key, w.ConditionExpression, nil, w.ExpressionAttributeNames, w.ExpressionAttributeValues)
	}
	if w := a.Update; w != nil {
		d.write('u', w.TableName, w.Key, w.ConditionExpression, w.UpdateExpression, w.ExpressionAttributeNames, w.ExpressionAttributeValues)
	}
}

func (d *digest) write(kind byte, table *string, item Item, condition, update *string, names map[string]string, values Item) {
	d.text = append(d.text, kind)
	d.optional(table)
	d.item(item)
	d.optional(condition)
	d.optional(update)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d.part(name)
		d.part(names[name])
	}
	d.item(values)
}

func (d *digest) optional(s *string) {
	if s == nil {
		d.text = append(d.text, 0)
		return
	}
	d.text = append(d.text, 1)
	d.part(*s)
}

func (d *digest) part(s string) {
	d.text = binary.AppendUvarint(d.text, uint64(len(s)))
	d.text = append(d.text, s...)
}

func (d *digest) item(item Item) {
	d.text = binary.AppendUvarint(d.text, uint64(len(item)))
	text, err := itemcodec.AppendValue(d.text, &types.AttributeValueMemberM{Value: item})
	if err != nil {
		d.err = err
		return
	}
	d.text = text
}
