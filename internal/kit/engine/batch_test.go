package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func batchGet(keys ...Item) *dynamodb.BatchGetItemInput {
	return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"things": {Keys: keys}}}
}

func batchWrite(writes ...types.WriteRequest) *dynamodb.BatchWriteItemInput {
	return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"things": writes}}
}

func putRequest(it Item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: it}}
}

func deleteRequest(key Item) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}

func sendBatchGet(in *dynamodb.BatchGetItemInput) func(*Engine) error {
	return func(e *Engine) error { _, err := e.BatchGetItem(ctx, in); return err }
}

func sendBatchWrite(in *dynamodb.BatchWriteItemInput) func(*Engine) error {
	return func(e *Engine) error { _, err := e.BatchWriteItem(ctx, in); return err }
}

func keys(n int) []Item {
	all := make([]Item, n)
	for i := range all {
		all[i] = key("many", fmt.Sprint(i))
	}
	return all
}

func deletes(n int) []types.WriteRequest {
	all := make([]types.WriteRequest, n)
	for i, k := range keys(n) {
		all[i] = deleteRequest(k)
	}
	return all
}

const oneDatatype = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"

var batchRefusals = []refusal{
	{"batch of 101 keys", sendBatchGet(batchGet(keys(101)...)), "Too many items requested for the BatchGetItem call"},
	{"batch with one key twice", sendBatchGet(batchGet(key("p", "1"), key("p", "1"))), "Provided list of item keys contains duplicates"},
	{"batch with half a key", sendBatchGet(batchGet(item("pk", "p"))), schemaMismatch},
	{"batch of 26 writes", sendBatchWrite(batchWrite(deletes(26)...)), "Too many items requested for the BatchWriteItem call"},
	{"batch writing one item twice", sendBatchWrite(batchWrite(putRequest(key("p", "1")), deleteRequest(key("p", "1")))), "Provided list of item keys contains duplicates"},
	{"batch write of nothing", sendBatchWrite(batchWrite(types.WriteRequest{})), oneDatatype},
	{"batch write of both", sendBatchWrite(batchWrite(types.WriteRequest{PutRequest: &types.PutRequest{Item: key("p", "1")},
		DeleteRequest: &types.DeleteRequest{Key: key("p", "1")}})), oneDatatype},
	{"batch put with half a key", sendBatchWrite(batchWrite(putRequest(item("pk", "p")))), schemaMismatch},
	{"batch put of nothing", sendBatchWrite(batchWrite(putRequest(nil))), schemaMismatch},
	{"batch with a bad value after a bad key", sendBatchWrite(batchWrite(putRequest(item("pk", "p")), putRequest(item("pk", "p", "sk", "2", "n", n("abc"))))),
		"The parameter cannot be converted to a numeric value: abc"},
	{"batch put of a large item after a good one", sendBatchWrite(batchWrite(deleteRequest(key("p", "1")), putRequest(item("pk", "p", "sk", "2", "x", long(400<<10))))),
		"Item size has exceeded the maximum allowed size"},
}

func TestBatchGetLeavesOutWhatIsAbsent(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "1", "a", "x", "b", "y"))
	put(t, e, item("pk", "p", "sk", "2", "b", "z"))
	in := batchGet(key("p", "1"), key("p", "absent"), key("p", "2"))
	part := in.RequestItems["things"]
	part.ProjectionExpression = aws.String("#k, b")
	part.ExpressionAttributeNames = map[string]string{"#k": "sk"}
	in.RequestItems["things"] = part
	out, err := e.BatchGetItem(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	got := out.Responses["things"]
	if len(got) != 2 || !equal(got[0], item("sk", "1", "b", "y")) || !equal(got[1], item("sk", "2", "b", "z")) || len(out.UnprocessedKeys) != 0 {
		t.Errorf("got %v, unprocessed %v", got, out.UnprocessedKeys)
	}
}

func TestBatchGetStopsAt16MB(t *testing.T) {
	e := withTable(t)
	const size, count = 390 << 10, 50 // more than 16 MB together
	for _, k := range keys(count) {
		k["x"] = s(strings.Repeat("x", size))
		put(t, e, k)
	}
	pending := batchGet(keys(count)...)
	pending.RequestItems["things"] = types.KeysAndAttributes{Keys: keys(count), ConsistentRead: aws.Bool(true)}
	got, rounds := 0, 0
	for len(pending.RequestItems) > 0 {
		out, err := e.BatchGetItem(ctx, pending)
		if err != nil {
			t.Fatal(err)
		}
		got += len(out.Responses["things"])
		rounds++
		if left, ok := out.UnprocessedKeys["things"]; ok && !*left.ConsistentRead {
			t.Error("unprocessed keys lost what was asked for")
		}
		pending = &dynamodb.BatchGetItemInput{RequestItems: out.UnprocessedKeys}
	}
	if got != count || rounds != 2 {
		t.Errorf("%d items in %d rounds, want %d in 2", got, rounds, count)
	}
}

func TestBatchWrite(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "old", "a1", "x", "a1s", "1"))
	if _, err := e.BatchWriteItem(ctx, batchWrite(putRequest(item("pk", "p", "sk", "new", "a1", "x", "a1s", "2")), deleteRequest(key("p", "old")))); err != nil {
		t.Fatal(err)
	}
	if got := scanAll(t, e, "GSI-A1", 1); len(got) != 1 || got["p|new"] == nil {
		t.Errorf("index holds %v", got)
	}
}
