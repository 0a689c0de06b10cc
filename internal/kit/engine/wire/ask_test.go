package wire_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/engine/wire"
)

type entry struct {
	Partition string `dynamo:"p,hash"`
	Sort      int    `dynamo:"s,range"`
	Colour    string `dynamo:"colour"`
}

// A server that refuses the form from before answers what guregu/dynamo asks, by way of
// the client that the program uses.
func TestQueriesOfGureguByExpressions(t *testing.T) {
	client := client(serve(t, memory(t)), wire.AskByExpressions)
	db := dynamo.NewFromIface(client)
	ctx := t.Context()
	if err := db.CreateTable("entries", entry{}).OnDemand(true).Run(ctx); err != nil {
		t.Fatal(err)
	}
	table := db.Table("entries")
	for s := range 6 {
		if err := table.Put(entry{"a", s, []string{"red", "blue"}[s%2]}).Run(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		query *dynamo.Query
		want  int
	}{
		"all":         {table.Get("p", "a"), 6},
		"one":         {table.Get("p", "a").Range("s", dynamo.Equal, 3), 1},
		"less":        {table.Get("p", "a").Range("s", dynamo.Less, 3), 3},
		"at most":     {table.Get("p", "a").Range("s", dynamo.LessOrEqual, 3), 4},
		"greater":     {table.Get("p", "a").Range("s", dynamo.Greater, 3), 2},
		"at least":    {table.Get("p", "a").Range("s", dynamo.GreaterOrEqual, 3), 3},
		"between":     {table.Get("p", "a").Range("s", dynamo.Between, 1, 4), 4},
		"filtered":    {table.Get("p", "a").Range("s", dynamo.Less, 3).Filter("'colour' = ?", "red"), 2},
		"none":        {table.Get("p", "b"), 0},
		"a few times": {table.Get("p", "a").SearchLimit(2), 2},
	} {
		var got []entry
		if err := tt.query.All(ctx, &got); err != nil || len(got) != tt.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	_, err := client.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("entries"), KeyConditions: map[string]types.Condition{
		"p": {ComparisonOperator: types.ComparisonOperatorContains, AttributeValueList: []types.AttributeValue{&types.AttributeValueMemberS{Value: "a"}}}}})
	if err == nil || !strings.Contains(err.Error(), "the condition on key p is CONTAINS of 1 values, which no query can have") {
		t.Errorf("a condition that no query can have: %v", err)
	}
}
