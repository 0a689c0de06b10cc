package keyspec

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// request returns the planned action in the client's form. It requests the items of failed
// conditions, to report the cause.
func (a *action) request(db *DB) (r types.TransactWriteItem) {
	var w writer
	var changes string
	if a.plan.kind == update {
		changes = a.expression(&w)
	}
	var when *string
	var refused types.ReturnValuesOnConditionCheckFailure
	if condition := a.condition(&w); condition != "" {
		when, refused = &condition, types.ReturnValuesOnConditionCheckFailureAllOld
	}
	name := db.name(a.row.table)
	switch a.plan.kind {
	case put:
		r.Put = &types.Put{
			TableName: name, Item: itemOf(a.plan.fields), ConditionExpression: when, ReturnValuesOnConditionCheckFailure: refused,
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
	return r
}

// expression writes the update expression.
func (a *action) expression(w *writer) string {
	section := " SET "
	for i := range a.plan.fields {
		if f := &a.plan.fields[i]; f.Kind != raw.Removed {
			w.WriteString(section)
			section = ", "
			w.name(f.Name)
			w.WriteString(" = ")
			w.value(sdkValue(f, nil))
		}
	}
	w.inside(a.within, section, insideSet, insideAdd, insideAppend)
	section = " ADD "
	for _, s := range a.plan.shifts {
		w.WriteString(section)
		section = ", "
		w.name(s.Name)
		w.WriteString(" ")
		w.value(integer(s.By))
	}
	w.inside(a.within, section, insideInclude)
	section = " REMOVE "
	for i := range a.plan.fields {
		if f := &a.plan.fields[i]; f.Kind == raw.Removed {
			w.WriteString(section)
			section = ", "
			w.name(f.Name)
		}
	}
	w.inside(a.within, section, insideRemove)
	w.inside(a.within, " DELETE ", insideExclude)
	return strings.TrimPrefix(w.String(), " ")
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
	for _, s := range a.plan.shifts {
		if s.By < 0 {
			and()
			w.name(s.Name)
			w.WriteString(" >= ")
			w.value(integer(-s.By))
		}
	}
	return w.String()
}
