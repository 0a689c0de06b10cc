package engine

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Values exactly at a limit are accepted.
func TestLimitsAreIncluded(t *testing.T) {
	e := withTable(t)
	for _, it := range []Item{
		item("pk", "p", "sk", "1", "x", long(400<<10-7)),
		item("pk", long(2048), "sk", long(1024)),
		item("pk", "p", "sk", "2", "a1", long(2048), "a1s", long(1024)),
	} {
		put(t, e, it)
		if got := get(t, e, Item{"pk": it["pk"], "sk": it["sk"]}); !equal(got, it) {
			t.Error("a large item reads back differently")
		}
	}
}

func TestUpdateReturns(t *testing.T) {
	stored := item("pk", "p", "sk", "1", "n", 1, "a", "old", "m", &types.AttributeValueMemberM{Value: item("x", 1, "y", 2)})
	update := "SET n = n + :one, b = :new, m.x = :new REMOVE a"
	after := item("pk", "p", "sk", "1", "n", 2, "b", "new", "m", &types.AttributeValueMemberM{Value: item("x", "new", "y", 2)})
	for _, tt := range []struct {
		want          types.ReturnValue
		existing, new Item // the result for an existing and an absent item
		update        string
	}{
		{"", nil, nil, update},
		{types.ReturnValueNone, nil, nil, update},
		{types.ReturnValueAllOld, stored, nil, update},
		{types.ReturnValueAllNew, after, item("pk", "p", "sk", "2", "b", "new"), update},
		{types.ReturnValueUpdatedOld, item("n", 1, "a", "old", "m", &types.AttributeValueMemberM{Value: item("x", 1)}), nil, update},
		{types.ReturnValueUpdatedNew, item("n", 2, "b", "new", "m", &types.AttributeValueMemberM{Value: item("x", "new")}), item("b", "new"), update},
	} {
		e := withTable(t)
		put(t, e, stored)
		in := &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"), ReturnValues: tt.want,
			UpdateExpression: aws.String(update), ExpressionAttributeValues: item(":one", 1, ":new", "new")}
		out, err := e.UpdateItem(ctx, in)
		if err != nil || !equal(out.Attributes, tt.existing) {
			t.Errorf("%q of an item that exists: %v, %v", tt.want, out, err)
		}
		in.Key, in.UpdateExpression, in.ExpressionAttributeValues = key("p", "2"), aws.String("SET b = :new"), item(":new", "new")
		out, err = e.UpdateItem(ctx, in)
		if err != nil || !equal(out.Attributes, tt.new) {
			t.Errorf("%q of a new item: %v, %v", tt.want, out, err)
		}
	}
}

func TestPutAndDeleteReturnTheOldItem(t *testing.T) {
	e := withTable(t)
	first, second := item("pk", "p", "sk", "1", "n", 1), item("pk", "p", "sk", "1", "n", 2)
	for _, step := range []struct{ put, want Item }{{first, nil}, {second, first}, {nil, second}, {nil, nil}} {
		var got Item
		if step.put != nil {
			out, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: step.put, ReturnValues: "ALL_OLD"})
			if err != nil {
				t.Fatal(err)
			}
			got = out.Attributes
		} else {
			out, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("p", "1"), ReturnValues: "ALL_OLD"})
			if err != nil {
				t.Fatal(err)
			}
			got = out.Attributes
		}
		if !equal(got, step.want) {
			t.Errorf("got %v, want %v", got, step.want)
		}
	}
}

func TestFailedConditionShowsTheItem(t *testing.T) {
	e := withTable(t)
	stored := item("pk", "p", "sk", "1", "n", 1)
	put(t, e, stored)
	for _, tt := range []struct {
		sk   string
		show types.ReturnValuesOnConditionCheckFailure
		want Item
	}{
		{"1", "", nil},
		{"1", types.ReturnValuesOnConditionCheckFailureNone, nil},
		{"1", types.ReturnValuesOnConditionCheckFailureAllOld, stored},
		{"absent", types.ReturnValuesOnConditionCheckFailureAllOld, nil},
	} {
		_, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("p", tt.sk),
			ConditionExpression: aws.String("n > :n"), ExpressionAttributeValues: item(":n", 5), ReturnValuesOnConditionCheckFailure: tt.show})
		var failed *types.ConditionalCheckFailedException
		if !errors.As(err, &failed) || *failed.Message != "The conditional request failed" || !equal(failed.Item, tt.want) {
			t.Errorf("%q of %s: %v", tt.show, tt.sk, err)
		}
	}
}

// The engine neither retains references to its inputs nor returns references to its own
// data.
func TestItemsAreNotShared(t *testing.T) {
	e := withTable(t)
	bytes := []byte("abc")
	it := item("pk", "p", "sk", "1", "b", &types.AttributeValueMemberB{Value: bytes}, "l", &types.AttributeValueMemberL{Value: []types.AttributeValue{s("x")}})
	put(t, e, it)
	bytes[0] = 'z'
	it["l"].(*types.AttributeValueMemberL).Value[0] = s("changed")
	value := s("v")
	in := &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"), UpdateExpression: aws.String("SET v = :v"),
		ExpressionAttributeValues: Item{":v": value}, ReturnValues: "ALL_NEW"}
	out, err := e.UpdateItem(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	value.(*types.AttributeValueMemberS).Value = "changed"
	want := item("pk", "p", "sk", "1", "b", b("abc"), "l", &types.AttributeValueMemberL{Value: []types.AttributeValue{s("x")}}, "v", "v")
	if got := get(t, e, key("p", "1")); !equal(got, want) || !equal(out.Attributes, want) {
		t.Errorf("stored %v, returned %v", got, out.Attributes)
	}
}

func TestNumbersAreStoredCanonically(t *testing.T) {
	e := withTable(t)
	for given, want := range map[string]string{
		"1": "1", "12.50": "12.5", "007": "7", "-0": "0", "1e3": "1000", "0.1": "0.1", "1E-3": "0.001",
		"12345678901234567890123456789012345678": "12345678901234567890123456789012345678",
	} {
		put(t, e, item("pk", "p", "sk", "1", "n", n(given), "a4", "x", "a4s", n(given)))
		if got := get(t, e, key("p", "1"))["n"].(*types.AttributeValueMemberN).Value; got != want {
			t.Errorf("%s is stored as %s, want %s", given, got, want)
		}
	}
}
