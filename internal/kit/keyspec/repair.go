package keyspec

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Repair corrects a finding of Verify, and reports whether it did: it sets an index key or
// a counter to its wanted value, unless it has changed since. Unknown, unreadable, misplaced and
// missing items cannot be repaired.
//
// There must be no other writes between Verify and Repair, because they would make counts
// unreliable.
func (db *DB) Repair(ctx context.Context, f Finding) (repaired bool, err error) {
	at := slices.IndexFunc(db.tables, func(t *Table) bool { return t.Name == f.Table })
	if at < 0 || f.Problem != WrongKey && f.Problem != WrongCount {
		return false, nil
	}
	t := db.tables[at]
	in := &dynamodb.UpdateItemInput{
		TableName:                 db.name(t),
		Key:                       map[string]types.AttributeValue{t.PK: &types.AttributeValueMemberS{Value: f.PK}},
		ExpressionAttributeNames:  map[string]string{"#pk": t.PK, "#a": f.Attribute},
		ExpressionAttributeValues: map[string]types.AttributeValue{},
		UpdateExpression:          aws.String("SET #a = :want"),
		ConditionExpression:       aws.String("attribute_exists(#pk) AND #a = :is"),
	}
	if t.SK != "" {
		in.Key[t.SK] = &types.AttributeValueMemberS{Value: f.SK}
	}
	counter := f.Problem == WrongCount // absent if zero
	if f.Is != "" {
		in.ExpressionAttributeValues[":is"] = f.value(t, f.Is)
	}
	switch {
	case counter && f.Is == "0":
		in.ConditionExpression = aws.String("attribute_exists(#pk) AND (attribute_not_exists(#a) OR #a = :is)")
	case f.Is == "":
		in.ConditionExpression = aws.String("attribute_exists(#pk) AND attribute_not_exists(#a)")
	}
	if f.Want == "" || counter && f.Want == "0" {
		in.UpdateExpression = aws.String("REMOVE #a")
	} else {
		in.ExpressionAttributeValues[":want"] = f.value(t, f.Want)
	}
	err = db.whileBusy(ctx, func() error {
		_, err := db.client.UpdateItem(ctx, in)
		return err
	})
	var changed *types.ConditionalCheckFailedException
	if errors.As(err, &changed) {
		return false, nil
	}
	return err == nil, err
}

// value returns the stored form of a text of a finding.
func (f Finding) value(t *Table, text string) types.AttributeValue {
	number := f.Problem == WrongCount || slices.ContainsFunc(t.Indexes, func(ix *Index) bool { return ix.Number && ix.SK == f.Attribute })
	if number {
		return &types.AttributeValueMemberN{Value: text}
	}
	return &types.AttributeValueMemberS{Value: text}
}

// Flaw is an inconsistency of stored data that its owner has detected.
type Flaw struct {
	Text string
	// Mend adds the correction to a transaction; nil if there is none.
	Mend func(tx *Tx)
}

func (f Flaw) String() string { return f.Text }

// Mend corrects a flaw if possible, and reports whether it did.
func (db *DB) Mend(ctx context.Context, f Flaw) (mended bool, err error) {
	if f.Mend == nil {
		return false, nil
	}
	tx := db.NewTx()
	f.Mend(tx)
	err = tx.Run(ctx)
	var changed *Conflict
	if errors.As(err, &changed) {
		return false, nil
	}
	return err == nil, err
}
