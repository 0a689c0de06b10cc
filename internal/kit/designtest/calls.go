package designtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

// Open creates tables on an engine with its data in a directory, or in memory if it is
// empty.
func Open(t testing.TB, dir string, tables ...*keyspec.Table) (*keyspec.DB, *Calls) {
	t.Helper()
	open := enginetest.Memory
	if dir != "" {
		open = func(t testing.TB) *engine.Engine { return enginetest.Open(t, dir) }
	}
	calls := &Calls{DynamoDBAPI: open(t)}
	db := keyspec.Open(dynamo.NewFromIface(calls), "", tables...)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db, calls
}

// Calls records calls to a database, to compare them with the access patterns of a design.
type Calls struct {
	dynamodbiface.DynamoDBAPI
	calls []string
	// Sent is the total size of transactions in bytes.
	Sent int
}

// Take returns the calls since it was last called: the index and condition of a query, the
// keys of a batch. Both are marked if they are not consistent reads.
func (c *Calls) Take() string {
	calls := strings.Join(c.calls, "; ")
	c.calls = nil
	return calls
}

// TransactWriteItems records a transaction.
func (c *Calls) TransactWriteItems(
	ctx context.Context,
	in *dynamodb.TransactWriteItemsInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	c.Sent += len(text)
	c.calls = append(c.calls, "transaction")
	return c.DynamoDBAPI.TransactWriteItems(ctx, in, o...)
}

// Query records the index and the condition.
func (c *Calls) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	condition := *in.KeyConditionExpression
	for name, attribute := range in.ExpressionAttributeNames {
		condition = strings.ReplaceAll(condition, name, attribute)
	}
	for name, value := range in.ExpressionAttributeValues {
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			condition = strings.ReplaceAll(condition, name, v.Value)
		case *types.AttributeValueMemberN:
			condition = strings.ReplaceAll(condition, name, v.Value)
		}
	}
	where := "table"
	if in.IndexName != nil {
		where = *in.IndexName
	}
	if aws.ToBool(in.ConsistentRead) {
		where += ", consistent"
	}
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		where += ", descending"
	}
	c.calls = append(c.calls, fmt.Sprintf("query %s: %s", where, condition))
	return c.DynamoDBAPI.Query(ctx, in, o...)
}

// BatchGetItem records the keys.
func (c *Calls) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	var keys []string
	for _, table := range slices.Sorted(maps.Keys(in.RequestItems)) {
		for _, key := range in.RequestItems[table].Keys {
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(key)) { // the partition key sorts first in all tables
				parts = append(parts, key[name].(*types.AttributeValueMemberS).Value)
			}
			keys = append(keys, strings.Join(parts, " | "))
		}
		if !aws.ToBool(in.RequestItems[table].ConsistentRead) {
			keys = append(keys, "inconsistent")
		}
	}
	c.calls = append(c.calls, "get "+strings.Join(keys, ", "))
	return c.DynamoDBAPI.BatchGetItem(ctx, in, o...)
}
