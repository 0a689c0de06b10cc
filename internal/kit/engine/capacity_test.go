package engine

import (
	"fmt"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// charged compares the consumed capacity of the table and its indexes with the expected
// units.
func charged(t *testing.T, got *types.ConsumedCapacity, table float64, indexes map[string]float64) {
	t.Helper()
	total := table
	for _, n := range indexes {
		total += n
	}
	if got == nil || *got.TableName != "things" || *got.CapacityUnits != total || *got.Table.CapacityUnits != table {
		t.Errorf("charged %+v, want %v for the table, %v in all", got, table, total)
		return
	}
	shown := map[string]float64{}
	for name, c := range got.GlobalSecondaryIndexes {
		shown[name] = *c.CapacityUnits
	}
	if !maps.Equal(shown, indexes) {
		t.Errorf("indexes are charged %v, want %v", shown, indexes)
	}
}

// sets returns sets of every type, in a list.
func sets(x, y string) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: []types.AttributeValue{
		&types.AttributeValueMemberSS{Value: []string{x, y}}, &types.AttributeValueMemberBS{Value: [][]byte{[]byte(x), []byte(y)}},
		&types.AttributeValueMemberNS{Value: []string{fmt.Sprint(x[0]), fmt.Sprint(y[0])}}}}
}

func TestWriteCapacity(t *testing.T) {
	e := withTable(t)
	type units = map[string]float64
	for _, step := range []struct {
		name    string
		item    Item
		table   float64
		indexes units
	}{
		{"a small item in no index", item("pk", "p", "sk", "1"), 1, units{}},
		{"the larger of old and new counts", item("pk", "p", "sk", "1", "x", long(2100)), 3, units{}},
		{"and again when it shrinks", item("pk", "p", "sk", "1"), 3, units{}},
		{"an entry with sets is put", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "l", sets("a", "b")), 1, units{"GSI-A1": 1}},
		{"the sets are written in another order", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "l", sets("b", "a")), 1, units{}},
		{"the sets change", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "l", sets("b", "c")), 1, units{"GSI-A1": 1}},
		{"and the entry goes", item("pk", "p", "sk", "1"), 1, units{"GSI-A1": 1}},
		{"an entry is put", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "k1", "k", "x", long(1500)), 2, units{"GSI-A1": 2, "GSI-K1": 1}},
		{"nothing changes", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "k1", "k", "x", long(1500)), 2, units{}},
		{"what is not projected changes", item("pk", "p", "sk", "1", "a1", "x", "a1s", "1", "k1", "k", "x", long(1501)), 2, units{"GSI-A1": 2}},
		{"an entry moves: deleted and put", item("pk", "p", "sk", "1", "a1", "x", "a1s", "2", "k1", "k", "x", long(1501)), 2, units{"GSI-A1": 4}},
		{"an entry is deleted", item("pk", "p", "sk", "1", "k1", "k", "x", long(1501)), 2, units{"GSI-A1": 2}},
	} {
		out, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: step.item, ReturnConsumedCapacity: "INDEXES"})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(step.name, func(t *testing.T) { charged(t, out.ConsumedCapacity, step.table, step.indexes) })
	}
	out, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("p", "1"), ReturnConsumedCapacity: "TOTAL"})
	if err != nil || *out.ConsumedCapacity.CapacityUnits != 3 || out.ConsumedCapacity.Table != nil || out.ConsumedCapacity.GlobalSecondaryIndexes != nil {
		t.Errorf("deleting is charged %+v, %v", out.ConsumedCapacity, err)
	}
}

func TestReadCapacity(t *testing.T) {
	e := withTable(t)
	for _, sk := range []string{"1", "2", "3"} {
		put(t, e, item("pk", "p", "sk", sk, "k1", "k", "a1", "x", "a1s", sk, "x", long(3000)))
	}
	for _, tt := range []struct {
		sk         string
		consistent bool
		want       float64
	}{{"1", false, 0.5}, {"1", true, 1}, {"absent", false, 0.5}, {"absent", true, 1}} {
		out, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key("p", tt.sk), ConsistentRead: &tt.consistent, ReturnConsumedCapacity: "INDEXES"})
		if err != nil {
			t.Fatal(err)
		}
		charged(t, out.ConsumedCapacity, tt.want, map[string]float64{})
	}
	// Items are charged together: three items of 3 kB are 9 kB, or three units of 4 kB.
	query := func(change func(*dynamodb.QueryInput)) *types.ConsumedCapacity {
		in := &dynamodb.QueryInput{
			TableName:                 aws.String("things"),
			KeyConditionExpression:    aws.String("pk = :p"),
			ExpressionAttributeValues: item(":p", "p"),
			ReturnConsumedCapacity:    "INDEXES",
		}
		change(in)
		out, err := e.Query(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		return out.ConsumedCapacity
	}
	none := map[string]float64{}
	charged(t, query(func(*dynamodb.QueryInput) {}), 1.5, none)
	charged(t, query(func(in *dynamodb.QueryInput) { in.ConsistentRead = aws.Bool(true) }), 3, none)
	charged(t, query(func(in *dynamodb.QueryInput) { in.FilterExpression = aws.String("attribute_not_exists(x)") }), 1.5, none)
	charged(t, query(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression = aws.String("GSI-K1"), aws.String("k1 = :p")
	}), 0, map[string]float64{"GSI-K1": 0.5})
	all, err := e.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("things"), IndexName: aws.String("GSI-A1"), ReturnConsumedCapacity: "INDEXES"})
	if err != nil {
		t.Fatal(err)
	}
	charged(t, all.ConsumedCapacity, 0, map[string]float64{"GSI-A1": 1.5})
	in := batchGet(key("p", "1"), key("p", "absent"))
	in.ReturnConsumedCapacity = "INDEXES"
	batch, err := e.BatchGetItem(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	charged(t, &batch.ConsumedCapacity[0], 1, none)
}

func TestTransactionCapacity(t *testing.T) {
	e := withTable(t)
	in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: "INDEXES", ClientRequestToken: aws.String("once"), TransactItems: []types.TransactWriteItem{
		transactPut(item("pk", "p", "sk", "1", "k1", "k", "x", long(1500)), ""), transactCheck(key("p", "2"), "attribute_not_exists(pk)", nil)}}
	out, err := e.TransactWriteItems(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	charged(t, &out.ConsumedCapacity[0], 6, map[string]float64{"GSI-K1": 2})
	if w := out.ConsumedCapacity[0].WriteCapacityUnits; w == nil || *w != 8 || out.ConsumedCapacity[0].ReadCapacityUnits != nil {
		t.Errorf("write units %v", w)
	}
	if out, err = e.TransactWriteItems(ctx, in); err != nil {
		t.Fatal(err)
	}
	if r := out.ConsumedCapacity[0].ReadCapacityUnits; r == nil || *r == 0 || out.ConsumedCapacity[0].WriteCapacityUnits != nil {
		t.Errorf("a repeat is charged %+v", out.ConsumedCapacity[0])
	}
	got, err := e.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: "TOTAL", TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String("things"), Key: key("p", "1")}}, {Get: &types.Get{TableName: aws.String("things"), Key: key("p", "2")}}}})
	if err != nil || *got.ConsumedCapacity[0].CapacityUnits != 4 {
		t.Errorf("reading is charged %+v, %v", got, err)
	}
}
