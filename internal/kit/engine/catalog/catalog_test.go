package catalog_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/catalog"
)

func newTable(t *testing.T) *catalog.Table {
	t.Helper()
	attribute := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
	}
	part := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	table, err := catalog.New(&dynamodb.CreateTableInput{
		TableName:            aws.String("notes"),
		AttributeDefinitions: []types.AttributeDefinition{attribute("id", "S"), attribute("at", "N")},
		KeySchema:            []types.KeySchemaElement{part("id", "HASH")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("by-time"), KeySchema: []types.KeySchemaElement{part("id", "HASH"), part("at", "RANGE")},
			Projection:            &types.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"title"}},
			ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(3), WriteCapacityUnits: aws.Int64(4)},
		}},
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(2)},
		Tags:                  []types.Tag{{Key: aws.String("team"), Value: aws.String("a")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	table.ID, table.UUID, table.CreatedAt = 7, "a-b-c", time.Unix(1_800_000_000, 0).UTC()
	return table
}

func TestStoredFormKeepsEverything(t *testing.T) {
	table := newTable(t)
	data, err := table.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := catalog.Decode(data)
	if err != nil || !reflect.DeepEqual(again, table) {
		t.Errorf("read back %+v, %v\nwant %+v", again, err, table)
	}
	if _, err := catalog.Decode(data[:len(data)-1]); err == nil {
		t.Error("a torn description was read")
	}
}

func TestIndexChangesLeaveTheOriginal(t *testing.T) {
	table := newTable(t)
	x, _ := table.Index("by-time")
	x.Building = true
	changed := table.WithIndex(x)
	if got, _ := changed.Index("by-time"); !got.Building || len(changed.Indexes) != 1 {
		t.Errorf("replaced index is %+v", changed.Indexes)
	}
	x.Name = "second"
	if more := table.WithIndex(x); len(more.Indexes) != 2 {
		t.Errorf("added index gives %+v", more.Indexes)
	}
	if none := table.WithoutIndex("by-time"); len(none.Indexes) != 0 {
		t.Errorf("removed index leaves %+v", none.Indexes)
	}
	if got, _ := table.Index("by-time"); got.Building || len(table.Indexes) != 1 {
		t.Errorf("the original became %+v", table.Indexes)
	}
}

func TestDescribe(t *testing.T) {
	d := newTable(t).Describe(func(index string) catalog.Counts {
		return map[string]catalog.Counts{"": {Items: 10, Bytes: 100}, "by-time": {Items: 5, Bytes: 50}}[index]
	})
	x := d.GlobalSecondaryIndexes[0]
	if *d.ItemCount != 10 || *d.TableSizeBytes != 100 || *x.ItemCount != 5 || *x.IndexSizeBytes != 50 {
		t.Errorf("counts %d, %d, %d, %d", *d.ItemCount, *d.TableSizeBytes, *x.ItemCount, *x.IndexSizeBytes)
	}
	if *d.ProvisionedThroughput.WriteCapacityUnits != 2 || *x.ProvisionedThroughput.ReadCapacityUnits != 3 || d.BillingModeSummary != nil {
		t.Errorf("throughput %+v, %+v", d.ProvisionedThroughput, x.ProvisionedThroughput)
	}
	if want := "arn:aws:dynamodb:ddblocal:000000000000:table/notes/index/by-time"; *x.IndexArn != want {
		t.Errorf("index is named %s, want %s", *x.IndexArn, want)
	}
}

func TestThroughputChanges(t *testing.T) {
	table := newTable(t)
	units := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(8), WriteCapacityUnits: aws.Int64(9)}
	changed, err := table.WithThroughput(types.UpdateGlobalSecondaryIndexAction{IndexName: aws.String("by-time"), ProvisionedThroughput: units})
	if err != nil {
		t.Fatal(err)
	}
	if x, _ := changed.Index("by-time"); x.Throughput != (catalog.Throughput{Read: 8, Write: 9}) {
		t.Errorf("index throughput %+v", x.Throughput)
	}
	if _, err := table.WithThroughput(types.UpdateGlobalSecondaryIndexAction{IndexName: aws.String("absent"), ProvisionedThroughput: units}); err == nil {
		t.Error("changing an absent index succeeded")
	}
	changed, err = table.WithSettings(&dynamodb.UpdateTableInput{ProvisionedThroughput: units})
	if err != nil || changed.Throughput != (catalog.Throughput{Read: 8, Write: 9}) || table.Throughput.Read != 1 {
		t.Errorf("table throughput %+v, was %+v, %v", changed.Throughput, table.Throughput, err)
	}
}
