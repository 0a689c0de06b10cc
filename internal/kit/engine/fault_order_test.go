package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

const (
	badNumber  = "The parameter cannot be converted to a numeric value: abc"
	badSyntax  = `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`
	namesAlone = "ExpressionAttributeNames can only be specified when using expressions"
	onlyOld    = "ReturnValues can only be ALL_OLD or NONE"
	noTable    = "ResourceNotFoundException: Requested resource not found"
)

func putWith(it Item, change func(*dynamodb.PutItemInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.PutItemInput{TableName: aws.String("things"), Item: it}
		change(in)
		_, err := e.PutItem(ctx, in)
		return err
	}
}

func deleteWith(key Item, change func(*dynamodb.DeleteItemInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key}
		change(in)
		_, err := e.DeleteItem(ctx, in)
		return err
	}
}

func updateWith(key Item, expression string, change func(*dynamodb.UpdateItemInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key, UpdateExpression: &expression}
		change(in)
		_, err := e.UpdateItem(ctx, in)
		return err
	}
}

func getWith(key Item, change func(*dynamodb.GetItemInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key}
		change(in)
		_, err := e.GetItem(ctx, in)
		return err
	}
}

// If a write or a read of one item has several errors, the one that DynamoDB finds first is
// reported: misplaced placeholders, values, ReturnValues, sizes, expressions, the table,
// its key, its indexes' keys, paths below keys, the condition.
var itemFaults = []refusal{
	{"names before values", putWith(item("pk", "p", "sk", n("abc")), func(in *dynamodb.PutItemInput) {
		in.ExpressionAttributeNames = map[string]string{"#x": "x"}
	}), namesAlone},
	{"values before ReturnValues", putWith(item("pk", "p", "sk", n("abc")), func(in *dynamodb.PutItemInput) { in.ReturnValues = "ALL_NEW" }), badNumber},
	{"ReturnValues before the size", putWith(item("pk", "p", "sk", "1", "x", long(400<<10)), func(in *dynamodb.PutItemInput) { in.ReturnValues = "ALL_NEW" }), onlyOld},
	{"the size before expressions", putWith(item("pk", "p", "sk", "1", "x", long(400<<10)), func(in *dynamodb.PutItemInput) {
		in.ConditionExpression = aws.String("size(")
	}), "Item size has exceeded the maximum allowed size"},
	{"expressions before the table", putWith(key("p", "1"), func(in *dynamodb.PutItemInput) {
		in.ConditionExpression, in.TableName = aws.String("size("), aws.String("nothing-here")
	}), badSyntax},
	{"the table before the key", putWith(item("pk", "p"), func(in *dynamodb.PutItemInput) { in.TableName = aws.String("nothing-here") }), noTable},
	{"the key before index keys", putting(item("pk", "p", "a1", 1)), wrong + "Missing the key sk in the item"},
	{"delete: values before ReturnValues", deleteWith(item("pk", n("abc")), func(in *dynamodb.DeleteItemInput) { in.ReturnValues = "ALL_NEW" }), badNumber},
	{"delete: ReturnValues before expressions", deleteWith(key("p", "1"), func(in *dynamodb.DeleteItemInput) {
		in.ReturnValues, in.ConditionExpression = "ALL_NEW", aws.String("size(")
	}), onlyOld},
	{"delete: values before expressions", deleteWith(item("pk", n("abc")), func(in *dynamodb.DeleteItemInput) { in.ConditionExpression = aws.String("size(") }), badNumber},
	{"delete: expressions before the key", deleteWith(item("pk", "p"), func(in *dynamodb.DeleteItemInput) { in.ConditionExpression = aws.String("size(") }), badSyntax},
	{"update: values before expressions", updateWith(item("pk", n("abc")), "SET", func(*dynamodb.UpdateItemInput) {}), badNumber},
	{"update: the key before its update", updateWith(item("pk", "p"), "REMOVE sk", func(*dynamodb.UpdateItemInput) {}), schemaMismatch},
	{"update: of a key before an index key", updating("SET a1 = :v REMOVE sk", item(":v", 1)), wrong + "Cannot update attribute sk. This attribute is part of the key"},
	{"update: to an index key before a path below one", updating("SET a1 = :v REMOVE a4.x", item(":v", 1)),
		wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"},
	{"update: what the request tells before the condition", updateWith(key("p", "1"), "SET a1 = :v", func(in *dynamodb.UpdateItemInput) {
		in.ConditionExpression, in.ExpressionAttributeValues = aws.String("attribute_not_exists(pk)"), item(":v", 1)
	}), wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"},
	{"update: the condition before what the item tells", updateWith(key("p", "1"), "SET a1 = n", func(in *dynamodb.UpdateItemInput) {
		in.ConditionExpression = aws.String("attribute_not_exists(pk)")
	}), "ConditionalCheckFailedException: " + conditionFailed},
	{"get: values before expressions", getWith(item("pk", n("abc")), func(in *dynamodb.GetItemInput) { in.ProjectionExpression = aws.String("") }), badNumber},
	{"get: expressions before the key", getWith(item("pk", "p"), func(in *dynamodb.GetItemInput) { in.ProjectionExpression = aws.String("") }),
		"Invalid ProjectionExpression: The expression can not be empty;"},
	{"keys of values before values", updateWith(key("p", "1"), "REMOVE x", func(in *dynamodb.UpdateItemInput) {
		in.ExpressionAttributeValues = Item{":a": n("abc"), "b": s("")}
	}), `ExpressionAttributeValues contains invalid key: Syntax error; key: "b"`},
}

// An update sets an index key to an invalid value.
var updatedKeyRefusals = []refusal{
	{"a type the item tells", updating("SET a1 = n", nil), "The update expression attempted to update the secondary index key to unsupported type"},
	{"a type behind a function", updating("SET a1 = if_not_exists(absent, n)", nil), "The update expression attempted to update the secondary index key to unsupported type"},
	{"a type the request tells", updating("SET a1 = if_not_exists(absent, :v)", item(":v", 1)), wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"},
	{"a sum", updating("SET a1 = n + :v", item(":v", 1)), wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"},
	{"a list", updating("SET a1 = list_append(absent, absent2)", nil), wrong + "Type mismatch for Index Key a1 Expected: S Actual: L IndexName: GSI-A1"},
	{"a set taken from", updating("DELETE a1 :v", Item{":v": &types.AttributeValueMemberSS{Value: []string{"x"}}}),
		wrong + "Type mismatch for Index Key a1 Expected: S Actual: SS IndexName: GSI-A1"},
	{"too long a value", updating("SET a1 = :v", item(":v", long(2049))), "The update expression attempted to update the secondary index key beyond allowed size limits"},
	{"too long a sort value", updating("SET a1s = :v", item(":v", long(1025))), "The update expression attempted to update the secondary index key beyond allowed size limits"},
	{"an empty value", updating("SET a1 = :v", item(":v", "")), "One or more parameter values are not valid. The update expression attempted to update a secondary " +
		"index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."},
}

func startedAt(start Item, change func(*dynamodb.QueryInput)) func(*Engine) error {
	return querying(func(in *dynamodb.QueryInput) {
		in.ExclusiveStartKey = start
		change(in)
	})
}

const invalidStart = "The provided starting key is invalid"

// A query's key conditions are validated attribute by attribute, the start key before the
// conditions, and the projection last.
var queryFaults = []refusal{
	{"values of the starting key before conditions", startedAt(Item{"pk": &types.UnknownUnionMember{}}, func(in *dynamodb.QueryInput) {
		in.KeyConditionExpression, in.ExpressionAttributeValues = nil, nil
	}), invalidStart + ": Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
	{"placeholders before the starting key", startedAt(item("pk", n("abc")), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = nil }),
		valuesAlone + "FilterExpression and KeyConditionExpression are null"},
	{"values of the starting key before expressions", startedAt(Item{"pk": n("abc")}, func(in *dynamodb.QueryInput) { in.FilterExpression = aws.String("") }), badNumber},
	{"its length before conditions", startedAt(item("pk", "p"), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("pk > :p") }), invalidStart},
	{
		"its partition before that of conditions",
		startedAt(item("pk", 1, "sk", "1"), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("sk = :p") }),
		schemaMismatch,
	},
	{"the partition before its sort value", startedAt(item("pk", "p", "sk", 1), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("pk > :p") }),
		"Query key condition not supported"},
	{"its sort value before that of conditions", startedAt(item("pk", "p", "sk", 1), func(in *dynamodb.QueryInput) {
		in.KeyConditionExpression, in.ExpressionAttributeValues = aws.String("pk = :p AND sk = :n"), item(":p", "p", ":n", 1)
	}), schemaMismatch},
	{"outside of the range before another partition", startedAt(key("q", "a"), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("pk = :p AND sk > :p") }),
		"The provided starting key does not match the range key predicate"},
	{"inside of the range in another partition", startedAt(key("q", "z"), func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("pk = :p AND sk > :p") }),
		"The query can return at most one row and cannot be restarted"},
	{"the starting key before what is shown", startedAt(key("q", "z"), func(in *dynamodb.QueryInput) { in.Select = "SPECIFIC_ATTRIBUTES" }),
		"The provided starting key is outside query boundaries based on provided conditions"},
	{"conditions before what is shown", querying(func(in *dynamodb.QueryInput) {
		in.KeyConditionExpression, in.Select = aws.String("sk = :p"), "SPECIFIC_ATTRIBUTES"
	}), "Query condition missed key schema element: pk"},
	{"the table before what is shown", querying(func(in *dynamodb.QueryInput) {
		in.TableName, in.Select = aws.String("nothing-here"), "SPECIFIC_ATTRIBUTES"
	}), noTable},
	{"the index before what is shown", querying(func(in *dynamodb.QueryInput) { in.IndexName, in.Select = aws.String("GSI-X"), "SPECIFIC_ATTRIBUTES" }),
		"The table does not have the specified index: GSI-X"},
	{"paths shown before the filter's keys", querying(func(in *dynamodb.QueryInput) {
		in.ProjectionExpression, in.FilterExpression = aws.String("a1.x"), aws.String("sk = :p")
	}), belowKey + "IndexKey: a1"},
	{"the filter's keys before its paths", querying(func(in *dynamodb.QueryInput) { in.FilterExpression = aws.String("a1.x = :p OR sk = :p") }),
		"Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
	{"paths of the filter before Select", querying(func(in *dynamodb.QueryInput) {
		in.Select, in.FilterExpression = "SPECIFIC_ATTRIBUTES", aws.String("a1.x = :p")
	}), belowKey + "IndexKey: a1"},
	{"what the filter needs before Select", querying(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression, in.FilterExpression, in.Select = aws.String("GSI-K1"), aws.String("k1 = :p"), aws.String("n = :p"), "SPECIFIC_ATTRIBUTES"
	}), wrong + "Secondary index GSI-K1 does not project one or more filter attributes: [n]"},
	{"Select before what is shown", querying(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression, in.ProjectionExpression, in.Select = aws.String("GSI-K1"), aws.String("k1 = :p"), aws.String("n"), "COUNT"
	}), "Cannot specify the ProjectionExpression when choosing to get only the Count"},
	{"scan: the starting key before segments", scanning(func(in *dynamodb.ScanInput) { in.ExclusiveStartKey, in.Segment = item("pk", n("abc")), aws.Int32(0) }), badNumber},
	{"scan: segments before expressions", scanning(func(in *dynamodb.ScanInput) { in.FilterExpression, in.Segment = aws.String(""), aws.Int32(0) }),
		"The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
	{"scan: placeholders before segments", scanning(func(in *dynamodb.ScanInput) {
		in.ExpressionAttributeNames, in.Segment = map[string]string{"#x": "x"}, aws.Int32(0)
	}), namesAlone},
	{"scan: all of a narrow index before the table's key", scanning(func(in *dynamodb.ScanInput) {
		in.IndexName, in.Select, in.ExclusiveStartKey = aws.String("GSI-K1"), "ALL_ATTRIBUTES", item("pk", "p", "sk", 1, "k1", "k")
	}), wrong + "Select type ALL_ATTRIBUTES is not supported for global secondary index GSI-K1 because its projection type is not ALL"},
}

func inOtherTable(it Item) map[string][]types.WriteRequest {
	return map[string][]types.WriteRequest{"a-table-missing": {putRequest(key("p", "1"))}, "things": {putRequest(it)}}
}

// A batch is validated as a whole before its first table is looked up.
var batchFaults = []refusal{
	{"values before tables", sendBatchWrite(&dynamodb.BatchWriteItemInput{RequestItems: inOtherTable(item("pk", n("abc")))}), badNumber},
	{"an empty write before values", sendBatchWrite(batchWrite(putRequest(item("pk", n("abc"))), types.WriteRequest{})), oneDatatype},
	{"tables before keys", sendBatchWrite(&dynamodb.BatchWriteItemInput{RequestItems: inOtherTable(item("pk", "p"))}), noTable},
	{"reading: values before tables", sendBatchGet(&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"a-table-missing": {Keys: keys(1)}, "things": {Keys: []Item{{"pk": n("abc")}}}}}), badNumber},
	{"reading: keys that are twice before tables", sendBatchGet(&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"a-table-missing": {Keys: []Item{{"pk": n("1.0")}, {"pk": n("1")}}}}}), "Provided list of item keys contains duplicates"},
	{"reading: expressions before keys", sendBatchGet(&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"things": {Keys: []Item{{"pk": n("abc")}}, ProjectionExpression: aws.String("")}}}), "Invalid ProjectionExpression: The expression can not be empty;"},
	{"reading: too many before tables", sendBatchGet(&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"a-table-missing": {Keys: keys(1)}, "things": {Keys: keys(100)}}}), "Too many items requested for the BatchGetItem call"},
}

func TestFaultOrder(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "1", "n", 1))
	for _, table := range [][]refusal{itemFaults, updatedKeyRefusals, queryFaults, batchFaults} {
		for _, r := range table {
			t.Run(r.name, func(t *testing.T) {
				code, text, other := strings.Cut(r.want, "Exception: ")
				if !other {
					code, text = "Validation", r.want
				}
				var api smithy.APIError
				if err := r.send(e); !errors.As(err, &api) || api.ErrorCode() != code+"Exception" || api.ErrorMessage() != text {
					t.Errorf("got  %v\nwant %s: %s", err, code, text)
				}
			})
		}
	}
}

// An item that is older than an index may contain an invalid value for its key. It is not
// in the index, and updates of other attributes ignore this.
func TestUpdateBesideAnOldIndexKey(t *testing.T) {
	e := withTable(t)
	put(t, e, item("pk", "p", "sk", "1", "late", 5))
	if _, err := e.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String("things"), AttributeDefinitions: definitions("late:S"),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("GSI-L1"), KeySchema: schema("late", ""), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}); err != nil {
		t.Fatal(err)
	}
	e.builders.Wait()
	if _, err := e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"),
		UpdateExpression: aws.String("SET x = pk")}); err != nil {
		t.Fatal(err)
	}
	if got := scanAll(t, e, "GSI-L1", 1); len(got) != 0 {
		t.Errorf("the index holds %v", got)
	}
	refused(t, updating("ADD late :v", item(":v", 1))(e), wrong+"Type mismatch for Index Key late Expected: S Actual: N IndexName: GSI-L1")
}
