package engine

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func transactPut(it Item, condition string) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: aws.String("things"), Item: it, ConditionExpression: optional(condition)}}
}

func transactUpdate(key Item, update, condition string, values Item) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{TableName: aws.String("things"), Key: key, UpdateExpression: &update,
		ConditionExpression: optional(condition), ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}}
}

func transactCheck(key Item, condition string, values Item) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: aws.String("things"), Key: key,
		ConditionExpression: &condition, ExpressionAttributeValues: values}}
}

func transactDelete(key Item) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: aws.String("things"), Key: key}}
}

func sendTransaction(actions ...types.TransactWriteItem) func(*Engine) error {
	return func(e *Engine) error {
		_, err := e.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
		return err
	}
}

func sendTransactGet(keys ...Item) func(*Engine) error {
	in := &dynamodb.TransactGetItemsInput{}
	for _, k := range keys {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: aws.String("things"), Key: k}})
	}
	return func(e *Engine) error { _, err := e.TransactGetItems(ctx, in); return err }
}

const oneItemTwice = "Transaction request cannot include multiple operations on one item"

var transactRefusals = []refusal{
	{"transaction writing one item twice", sendTransaction(transactDelete(key("p", "1")), transactPut(key("p", "1"), "")), oneItemTwice},
	{"transaction checking what it writes", sendTransaction(transactDelete(key("p", "1")), transactCheck(key("p", "1"), "attribute_exists(pk)", nil)), oneItemTwice},
	{
		"transaction with an empty action",
		sendTransaction(transactDelete(key("p", "1")), types.TransactWriteItem{}),
		"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
	},
	{"transaction with an empty action behind a bad one", sendTransaction(transactPut(key("p", "2"), "size("), types.TransactWriteItem{}),
		"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"},
	{"transaction with two actions in one", sendTransaction(types.TransactWriteItem{Put: transactPut(key("p", "2"), "").Put, Delete: transactDelete(key("p", "2")).Delete}),
		"TransactItems can only contain one of Check, Put, Update or Delete"},
	{"transaction with a bad condition", sendTransaction(transactPut(key("p", "2"), "size(")), `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`},
	{"transaction putting a large item", sendTransaction(transactPut(item("pk", "p", "sk", "2", "x", long(400<<10)), "")), "Item size has exceeded the maximum allowed size"},
	{"transaction reading one item twice", sendTransactGet(key("p", "1"), key("p", "1")), oneItemTwice},
}

func TestTransactionOf100(t *testing.T) {
	e := withTable(t)
	var actions []types.TransactWriteItem
	for _, k := range keys(100) {
		actions = append(actions, transactPut(k, "attribute_not_exists(pk)"))
	}
	if err := sendTransaction(actions...)(e); err != nil {
		t.Fatal(err)
	}
	if got := len(scanAll(t, e, "", 1)); got != 100 {
		t.Errorf("%d items", got)
	}
}

func TestCancellationReasonsComeInOrder(t *testing.T) {
	e := withTable(t)
	stored := item("pk", "p", "sk", "1", "n", 5)
	put(t, e, stored)
	err := sendTransaction(
		transactPut(key("p", "new"), "attribute_not_exists(pk)"),
		transactUpdate(key("p", "1"), "SET n = :v", "n > :v", item(":v", 9)),
		transactUpdate(key("p", "2"), "SET n = nowhere + :v", "", item(":v", 1)),
		transactCheck(key("p", "3"), "attribute_exists(pk)", nil),
		transactUpdate(key("p", "4"), "SET a1 = :v", "", item(":v", 1)),
		transactPut(item("pk", "p", "sk", "5", "a1", 1), ""),
	)(e)
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("error %v", err)
	}
	if want := "Transaction cancelled, please refer cancellation reasons for specific reasons " +
		"[None, ConditionalCheckFailed, ValidationError, ConditionalCheckFailed, ValidationError, ValidationError]"; *cancelled.Message != want {
		t.Errorf("message %s\nwant    %s", *cancelled.Message, want)
	}
	for i, want := range []types.CancellationReason{
		{Code: aws.String("None")},
		{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: stored},
		{Code: aws.String("ValidationError"), Message: aws.String("The provided expression refers to an attribute that does not exist in the item")},
		{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed")},
		{Code: aws.String("ValidationError"), Message: aws.String(wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1")},
		{Code: aws.String("ValidationError"), Message: aws.String(wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1")},
	} {
		got := cancelled.CancellationReasons[i]
		if *got.Code != *want.Code || aws.ToString(got.Message) != aws.ToString(want.Message) || !equal(got.Item, want.Item) {
			t.Errorf("reason %d: %s %s %v", i, *got.Code, aws.ToString(got.Message), got.Item)
		}
	}
	if got := scanAll(t, e, "", 1); len(got) != 1 || !equal(got["p|1"], stored) {
		t.Errorf("a cancelled transaction left %v", got)
	}
}

// An action that the table's schema forbids cancels the transaction: its reason is returned
// with those of the other actions, and takes precedence over the action's own condition.
func TestTransactionReasonsOfSchema(t *testing.T) {
	e := withTable(t)
	put(t, e, key("p", "1"))
	failed := transactCheck(key("p", "1"), "attribute_not_exists(pk)", nil)
	const index = "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"
	for name, tt := range map[string]struct {
		action types.TransactWriteItem
		want   string
	}{
		"put without sort key":        {transactPut(item("pk", "p"), ""), wrong + "Missing the key sk in the item"},
		"put with a key of no type":   {transactPut(item("pk", 1, "sk", "1"), ""), wrong + "Type mismatch for key pk expected: S actual: N"},
		"put with an empty key":       {transactPut(item("pk", "", "sk", "1"), ""), emptyKey + "pk"},
		"put with a long key":         {transactPut(item("pk", "p", "sk", long(1025)), ""), longSort},
		"put with a wrong index key":  {transactPut(item("pk", "p", "sk", "2", "a1", 1), "attribute_exists(pk)"), wrong + index},
		"delete with half a key":      {transactDelete(item("pk", "p")), schemaMismatch},
		"delete with too much":        {transactDelete(item("pk", "p", "sk", "1", "x", "y")), schemaMismatch},
		"check of a wrong key":        {transactCheck(item("pk", "p", "sk", 1), "attribute_exists(pk)", nil), schemaMismatch},
		"update with half a key":      {transactUpdate(item("pk", "p"), "REMOVE n", "", nil), schemaMismatch},
		"update to a wrong index key": {transactUpdate(key("p", "2"), "SET a1 = :v", "attribute_exists(pk)", item(":v", 1)), wrong + index},
	} {
		t.Run(name, func(t *testing.T) {
			var cancelled *types.TransactionCanceledException
			if err := sendTransaction(failed, tt.action, transactPut(key("p", "3"), ""))(e); !errors.As(err, &cancelled) {
				t.Fatal(err)
			}
			for i, want := range []string{"ConditionalCheckFailed", "ValidationError", "None"} {
				if got := cancelled.CancellationReasons[i]; *got.Code != want {
					t.Errorf("reason %d: %s %s", i, *got.Code, aws.ToString(got.Message))
				}
			}
			if got := aws.ToString(cancelled.CancellationReasons[1].Message); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	var cancelled *types.TransactionCanceledException
	if err := sendTransactGet(key("p", "1"), item("pk", "p"))(e); !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 2 ||
		*cancelled.CancellationReasons[0].Code != "None" || *cancelled.CancellationReasons[1].Message != schemaMismatch {
		t.Errorf("reading half a key: %v", err)
	}
	refused(t, sendTransaction(transactDelete(item("pk", "p")), failed, failed)(e), oneItemTwice)
	refused(t, sendTransactGet(item("pk", "p"), key("p", "1"), key("p", "1"))(e), oneItemTwice)
	if got := scanAll(t, e, "", 1); len(got) != 1 {
		t.Errorf("cancelled transactions left %v", got)
	}
}

func TestRequestTokens(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	e := withTable(t, WithClock(func() time.Time { return now }))
	add := func(token string, by int) error {
		_, err := e.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{ClientRequestToken: &token,
			TransactItems: []types.TransactWriteItem{transactUpdate(key("p", "1"), "ADD n :v", "", item(":v", by))}})
		return err
	}
	counted := func(want int) {
		t.Helper()
		if got := get(t, e, key("p", "1"))["n"].(*types.AttributeValueMemberN).Value; got != fmt.Sprint(want) {
			t.Errorf("counted %s, want %d", got, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(add("first", 1))
	must(add("first", 1))
	counted(1)
	must(add("second", 1))
	counted(2)
	var mismatch *types.IdempotentParameterMismatchException
	if err := add("first", 5); !errors.As(err, &mismatch) {
		t.Errorf("another request with a used token: %v", err)
	}
	now = now.Add(tokenLife - time.Second)
	must(add("first", 1))
	counted(2)
	now = now.Add(time.Second)
	must(add("first", 1))
	counted(3)
	for range 5 {
		now = now.Add(tokenLife)
		must(add("other", 1))
	}
	tokens := 0
	must(e.each([]byte{spaceTokens}, func(_, _ []byte) error { tokens++; return nil }))
	if tokens > 3 {
		t.Errorf("%d tokens are kept, though all but two are forgotten", tokens)
	}
}

// A refused transaction may be repeated with the same token.
func TestRefusedTokensAreFree(t *testing.T) {
	e := withTable(t)
	in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("again"),
		TransactItems: []types.TransactWriteItem{transactCheck(key("p", "1"), "attribute_exists(pk)", nil), transactPut(key("p", "2"), "")}}
	var cancelled *types.TransactionCanceledException
	if _, err := e.TransactWriteItems(ctx, in); !errors.As(err, &cancelled) {
		t.Fatal(err)
	}
	put(t, e, key("p", "1"))
	if _, err := e.TransactWriteItems(ctx, in); err != nil {
		t.Fatal(err)
	}
	if get(t, e, key("p", "2")) == nil {
		t.Error("the second attempt did nothing")
	}
}

func TestTransactGetKeepsOrderAndGaps(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "1", "a", "x", "b", "y"))
	put(t, e, item("pk", "p", "sk", "3"))
	out, err := e.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String("things"), Key: key("p", "3")}},
		{Get: &types.Get{TableName: aws.String("things"), Key: key("p", "2")}},
		{Get: &types.Get{TableName: aws.String("things"), Key: key("p", "1"), ProjectionExpression: aws.String("b")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Item{key("p", "3"), nil, item("b", "y")} {
		if !equal(out.Responses[i].Item, want) {
			t.Errorf("response %d: %v, want %v", i, out.Responses[i].Item, want)
		}
	}
}
