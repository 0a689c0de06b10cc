package keyspec

import (
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// request is the action as the client takes it. Items that refuse are asked for, to
// tell why.
func (a *action) request(db *DB) (r types.TransactWriteItem, err error) {
	if a.err != nil {
		return r, a.err
	}
	var w writer
	item, changes := a.item, ""
	switch a.kind {
	case put:
		item, err = a.shifted()
	case update:
		changes, err = a.expression(&w)
	}
	if err != nil {
		return r, err
	}
	kind := a.kind
	if kind == update && changes == "" {
		kind = check
	}
	var when *string
	var refused types.ReturnValuesOnConditionCheckFailure
	if condition := a.condition(&w); condition != "" {
		when, refused = &condition, types.ReturnValuesOnConditionCheckFailureAllOld
	} else if kind == check {
		return r, fmt.Errorf("keyspec: a check of %s without a condition", a.key)
	}
	name := db.name(a.row.table)
	switch kind {
	case put:
		r.Put = &types.Put{
			TableName: name, Item: item, ConditionExpression: when, ReturnValuesOnConditionCheckFailure: refused,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}
	case update:
		r.Update = &types.Update{
			TableName: name, Key: a.key.item(), UpdateExpression: &changes, ConditionExpression: when, ReturnValuesOnConditionCheckFailure: refused,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}
	case remove:
		r.Delete = &types.Delete{
			TableName: name, Key: a.key.item(), ConditionExpression: when, ReturnValuesOnConditionCheckFailure: refused,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}
	case check:
		r.ConditionCheck = &types.ConditionCheck{
			TableName: name, Key: a.key.item(), ConditionExpression: when, ReturnValuesOnConditionCheckFailure: refused,
			ExpressionAttributeNames: w.names, ExpressionAttributeValues: w.values,
		}
	}
	return r, nil
}

// condition writes the conditions of the action.
func (a *action) condition(w *writer) string {
	w.Reset()
	and := func() {
		if w.Len() > 0 {
			w.WriteString(" AND ")
		}
	}
	if a.exists || a.kind == update {
		w.WriteString("attribute_exists(")
		w.name(a.row.table.PK)
		w.WriteString(")")
	}
	if a.absent {
		and()
		w.WriteString("attribute_not_exists(")
		w.name(a.row.table.PK)
		w.WriteString(")")
	}
	for _, t := range a.tests {
		and()
		w.WriteString("(")
		w.test(t)
		w.WriteString(")")
	}
	for _, s := range a.shifts {
		if s.by < 0 && a.kind == update {
			and()
			w.name(s.attribute)
			w.WriteString(" >= ")
			w.value(integer(-s.by))
		}
	}
	return w.String()
}

// shifted is the item of a put with its counters shifted.
func (a *action) shifted() (map[string]types.AttributeValue, error) {
	if len(a.sets) > 0 {
		return nil, fmt.Errorf("keyspec: %s is put and its attribute %q is set in one transaction", a.key, a.sets[0].field.name)
	}
	if len(a.shifts) == 0 {
		return a.item, nil
	}
	item := maps.Clone(a.item)
	for _, s := range a.shifts {
		n := counted(item[s.attribute]) + s.by
		if n < 0 {
			return nil, fmt.Errorf("keyspec: %s is put with %q below zero", a.key, s.attribute)
		}
		item[s.attribute] = integer(n)
	}
	return item, nil
}
