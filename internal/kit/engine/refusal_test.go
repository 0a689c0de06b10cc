package engine

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A refusal is a request that must fail with the given error and change nothing.
type refusal struct {
	name string
	send func(*Engine) error
	want string
}

func putting(it Item) func(*Engine) error {
	return func(e *Engine) error {
		_, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: it})
		return err
	}
}

func getting(key Item) func(*Engine) error {
	return func(e *Engine) error {
		_, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key})
		return err
	}
}

func updating(expression string, values Item) func(*Engine) error {
	return func(e *Engine) error {
		_, err := e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"),
			UpdateExpression: &expression, ExpressionAttributeValues: values})
		return err
	}
}

func querying(change func(*dynamodb.QueryInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.QueryInput{TableName: aws.String("things"), KeyConditionExpression: aws.String("pk = :p"),
			ExpressionAttributeValues: item(":p", "p")}
		change(in)
		_, err := e.Query(ctx, in)
		return err
	}
}

func scanning(change func(*dynamodb.ScanInput)) func(*Engine) error {
	return func(e *Engine) error {
		in := &dynamodb.ScanInput{TableName: aws.String("things")}
		change(in)
		_, err := e.Scan(ctx, in)
		return err
	}
}

func startingAt(index string, key Item) func(*Engine) error {
	return querying(func(in *dynamodb.QueryInput) {
		in.ExclusiveStartKey = key
		if index != "" {
			in.IndexName = &index
			in.KeyConditionExpression = aws.String("a1 = :p")
		}
	})
}

func conditions(of map[string]types.Condition) func(*Engine) error {
	return querying(func(in *dynamodb.QueryInput) {
		in.KeyConditions, in.KeyConditionExpression, in.ExpressionAttributeValues = of, nil, nil
	})
}

func condition(operator types.ComparisonOperator, values ...types.AttributeValue) types.Condition {
	return types.Condition{ComparisonOperator: operator, AttributeValueList: values}
}

const (
	schemaMismatch = "The provided key element does not match the schema"
	emptyKey       = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: "
	longHash       = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
	longSort       = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	belowKey       = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	wrong          = "One or more parameter values were invalid: "
)

func long(n int) string { return strings.Repeat("x", n) }

var keyRefusals = []refusal{
	{"put without sort key", putting(item("pk", "p")), wrong + "Missing the key sk in the item"},
	{"put with a number as key", putting(item("pk", 1, "sk", "1")), wrong + "Type mismatch for key pk expected: S actual: N"},
	{"put with an empty key", putting(item("pk", "", "sk", "1")), emptyKey + "pk"},
	{"put with a long partition key", putting(item("pk", long(2049), "sk", "1")), longHash},
	{"put with a long sort key", putting(item("pk", "p", "sk", long(1025))), longSort},
	{"put with a wrong index key", putting(item("pk", "p", "sk", "1", "a1", 1)), wrong + "Type mismatch for Index Key a1 Expected: S Actual: N IndexName: GSI-A1"},
	{"put with an empty index key", putting(item("pk", "p", "sk", "1", "a1", "")), "One or more parameter values are not valid. " +
		"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: GSI-A1, IndexKey: a1"},
	{"put with an empty binary index key", putting(item("pk", "p", "sk", "1", "i1", b(""))), "One or more parameter values are not valid. " +
		"A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: GSI-I1, IndexKey: i1"},
	{"put with a long index key", putting(item("pk", "p", "sk", "1", "a1", long(2049))), longHash},
	{"put with a long index sort key", putting(item("pk", "p", "sk", "1", "a1s", long(1025))), longSort},
	{"put of a large item", putting(item("pk", "p", "sk", "1", "x", long(400<<10-6))), "Item size has exceeded the maximum allowed size"},
	{"get with too much", getting(item("pk", "p", "sk", "1", "x", "y")), schemaMismatch},
	{"get with too little", getting(item("pk", "p")), schemaMismatch},
	{"get with a wrong type", getting(item("pk", "p", "sk", 1)), schemaMismatch},
	{"get with another name", getting(item("pk", "p", "x", "1")), schemaMismatch},
	{"get with an empty key", getting(item("pk", "p", "sk", "")), emptyKey + "sk"},
	{"get with a long key", getting(item("pk", long(2049), "sk", "1")), longHash},
	{"update of a key", updating("SET sk = :v", item(":v", "2")), wrong + "Cannot update attribute sk. This attribute is part of the key"},
	{"update below a key", updating("SET n = pk.x", nil), belowKey + "Key: pk"},
	{"update below an index key", updating("SET a1.x = :v", item(":v", "2")), belowKey + "IndexKey: a1"},
	{"update to a wrong index key", updating("SET a4s = :v", item(":v", "2")), wrong + "Type mismatch for Index Key a4s Expected: N Actual: S IndexName: GSI-A4"},
	{"update to a large item", updating("SET x = :v", item(":v", long(400<<10))), "Item size to update has exceeded the maximum allowed size"},
}

const valuesAlone = "ExpressionAttributeValues can only be specified when using expressions: "

// The error for unused values depends on the operation.
var valuesAloneRefusals = []refusal{
	{"query", querying(func(in *dynamodb.QueryInput) { in.KeyConditionExpression = nil }),
		valuesAlone + "FilterExpression and KeyConditionExpression are null"},
	{"scan", scanning(func(in *dynamodb.ScanInput) { in.ExpressionAttributeValues = item(":v", 1) }), valuesAlone + "FilterExpression is null"},
	{"update", func(e *Engine) error {
		_, err := e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"), ExpressionAttributeValues: item(":v", 1)})
		return err
	}, valuesAlone + "UpdateExpression and ConditionExpression are null"},
}

var queryRefusals = []refusal{
	{"without condition", querying(func(in *dynamodb.QueryInput) { in.KeyConditionExpression, in.ExpressionAttributeValues = nil, nil }),
		"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
	{"unknown index", querying(func(in *dynamodb.QueryInput) { in.IndexName = aws.String("GSI-X") }), "The table does not have the specified index: GSI-X"},
	{"consistent index", querying(func(in *dynamodb.QueryInput) { in.IndexName, in.ConsistentRead = aws.String("GSI-A1"), aws.Bool(true) }),
		"Consistent reads are not supported on global secondary indexes"},
	{"other key", querying(func(in *dynamodb.QueryInput) { in.KeyConditionExpression = aws.String("sk = :p") }), "Query condition missed key schema element: pk"},
	{"key of another type", querying(func(in *dynamodb.QueryInput) { in.ExpressionAttributeValues = item(":p", 1) }),
		wrong + "Condition parameter type does not match schema type"},
	{"filter on a key", querying(func(in *dynamodb.QueryInput) { in.FilterExpression = aws.String("sk = :p") }),
		"Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"},
	{"count with projection", querying(func(in *dynamodb.QueryInput) { in.Select, in.ProjectionExpression = "COUNT", aws.String("pk") }),
		"Cannot specify the ProjectionExpression when choosing to get only the Count"},
	{"all with projection", querying(func(in *dynamodb.QueryInput) { in.Select, in.ProjectionExpression = "ALL_ATTRIBUTES", aws.String("pk") }),
		"Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
	{"specific without projection", querying(func(in *dynamodb.QueryInput) { in.Select = "SPECIFIC_ATTRIBUTES" }),
		"Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"},
	{"projected of a table", querying(func(in *dynamodb.QueryInput) { in.Select = "ALL_PROJECTED_ATTRIBUTES" }),
		"ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
	{"all of a narrow index", querying(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression, in.Select = aws.String("GSI-K1"), aws.String("k1 = :p"), "ALL_ATTRIBUTES"
	}), wrong + "Select type ALL_ATTRIBUTES is not supported for global secondary index GSI-K1 because its projection type is not ALL"},
	{"attributes an index lacks", querying(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression, in.ProjectionExpression = aws.String("GSI-K1"), aws.String("k1 = :p"), aws.String("pk, a1")
	}), wrong + "Global secondary index GSI-K1 does not project [a1]"},
	{"filter on what an index lacks", querying(func(in *dynamodb.QueryInput) {
		in.IndexName, in.KeyConditionExpression, in.FilterExpression = aws.String("GSI-K1"), aws.String("k1 = :p"), aws.String("n > :p AND pk <> :p")
	}), wrong + "Secondary index GSI-K1 does not project one or more filter attributes: [n]"},
	{"path below a key", querying(func(in *dynamodb.QueryInput) { in.ProjectionExpression = aws.String("n, pk.x") }), belowKey + "Key: pk"},
	{"path below an index key", scanning(func(in *dynamodb.ScanInput) { in.ProjectionExpression = aws.String("a1[0]") }), belowKey + "IndexKey: a1"},
	{"start key too short", startingAt("", item("pk", "p")), "The provided starting key is invalid"},
	{"start key of other names", startingAt("", item("pk", "p", "x", "1")), "The provided starting key is invalid"},
	{"start key of a wrong type", startingAt("", item("pk", "p", "sk", 1)), schemaMismatch},
	{"empty start key", startingAt("", item("pk", "p", "sk", "")), emptyKey + "sk"},
	{"start key of another partition", startingAt("", key("q", "1")), "The provided starting key is outside query boundaries based on provided conditions"},
	{"start key without number", startingAt("", item("pk", "p", "sk", n("abc"))), "The parameter cannot be converted to a numeric value: abc"},
	{"index start key with wrong owner", startingAt("GSI-A1", item("pk", "p", "sk", 1, "a1", "p", "a1s", "x")), "The provided starting key is invalid: " + schemaMismatch},
	{"start key outside the sort range", querying(func(in *dynamodb.QueryInput) {
		in.KeyConditionExpression, in.ExclusiveStartKey = aws.String("pk = :p AND sk > :p"), key("p", "a")
	}), "The provided starting key does not match the range key predicate"},
	{"both kinds of conditions", querying(func(in *dynamodb.QueryInput) {
		in.KeyConditions = map[string]types.Condition{"pk": condition("EQ", s("p"))}
	}),
		"Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}"},
	{"no conditions", conditions(map[string]types.Condition{}), "Conditions can be of length 1 or 2 only"},
	{"condition that is no range", conditions(map[string]types.Condition{"pk": condition("EQ", s("p")), "sk": condition("NE", s("1"))}),
		"Attempted conditional constraint is not an indexable operation"},
	{"condition without partition", conditions(map[string]types.Condition{"sk": condition("EQ", s("p"))}), "Query condition missed key schema element: pk"},
	{"condition on another attribute", conditions(map[string]types.Condition{"pk": condition("EQ", s("p")), "x": condition("EQ", s("p"))}),
		"Query condition missed key schema element: sk"},
	{"range of partitions", conditions(map[string]types.Condition{"pk": condition("LT", s("p"))}), "Query key condition not supported"},
	{"between with one value", conditions(map[string]types.Condition{"pk": condition("BETWEEN", s("p"))}),
		wrong + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
	{"between the wrong way round", conditions(map[string]types.Condition{"pk": condition("EQ", s("p")), "sk": condition("BETWEEN", s("2"), s("1"))}),
		"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
	{"number that begins", conditions(map[string]types.Condition{"pk": condition("EQ", s("p")), "sk": condition("BEGINS_WITH", n(1))}),
		wrong + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
	{"query filter", querying(func(in *dynamodb.QueryInput) { in.QueryFilter = map[string]types.Condition{} }),
		"The parameter QueryFilter is not supported; use FilterExpression instead"},
	{"attributes to get", querying(func(in *dynamodb.QueryInput) { in.AttributesToGet = []string{"pk"} }),
		"The parameter AttributesToGet is not supported; use ProjectionExpression instead"},
	{"segment without total", scanning(func(in *dynamodb.ScanInput) { in.Segment = aws.Int32(0) }),
		"The TotalSegments parameter is required but was not present in the request when Segment parameter is present"},
	{"total without segment", scanning(func(in *dynamodb.ScanInput) { in.TotalSegments = aws.Int32(1) }),
		"The Segment parameter is required but was not present in the request when parameter TotalSegments is present"},
	{"segment beyond total", scanning(func(in *dynamodb.ScanInput) { in.Segment, in.TotalSegments = aws.Int32(2), aws.Int32(2) }),
		"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2"},
	{"scan start key too short", scanning(func(in *dynamodb.ScanInput) { in.ExclusiveStartKey = item("pk", "p") }),
		"The provided starting key is invalid: " + schemaMismatch},
	{"scan start key of another segment", scanning(func(in *dynamodb.ScanInput) {
		in.ExclusiveStartKey, in.TotalSegments = key("p", "1"), aws.Int32(2)
		in.Segment = aws.Int32(otherHalf("p"))
	}), "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: " +
		string(rune('0'+otherHalf("p")))},
	{"scan filter", scanning(func(in *dynamodb.ScanInput) { in.ScanFilter = map[string]types.Condition{} }),
		"The parameter ScanFilter is not supported; use FilterExpression instead"},
}

// otherHalf returns the one of two segments that does not contain partition pk.
func otherHalf(pk string) int32 {
	r := relation{prefix: itemsPrefix(1)}
	r.key.Hash.Type = types.ScalarAttributeTypeS
	storedKey, _ := appendPartition(nil, &r, s(pk))
	if r.segment(0, 2).holds(storedKey) {
		return 1
	}
	return 0
}

var legacyRefusals = []refusal{
	{"put expected", func(e *Engine) error {
		_, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: key("p", "2"), Expected: map[string]types.ExpectedAttributeValue{}})
		return err
	}, "The parameter Expected is not supported; use ConditionExpression instead"},
	{"delete with an operator", func(e *Engine) error {
		_, err := e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("things"), Key: key("p", "1"), ConditionalOperator: "OR"})
		return err
	}, "The parameter ConditionalOperator is not supported; use ConditionExpression instead"},
	{"attribute updates", func(e *Engine) error {
		_, err := e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("things"), Key: key("p", "1"), AttributeUpdates: map[string]types.AttributeValueUpdate{}})
		return err
	}, "The parameter AttributeUpdates is not supported; use UpdateExpression instead"},
	{"put returning the new", func(e *Engine) error {
		_, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: key("p", "2"), ReturnValues: "ALL_NEW"})
		return err
	}, "ReturnValues can only be ALL_OLD or NONE"},
}

func TestRefusals(t *testing.T) {
	e := withTable(t)
	before := item("pk", "p", "sk", "1", "n", 1)
	put(t, e, before)
	for _, table := range [][]refusal{keyRefusals, valuesAloneRefusals, queryRefusals, legacyRefusals, batchRefusals, transactRefusals} {
		for _, r := range table {
			t.Run(r.name, func(t *testing.T) { refused(t, r.send(e), r.want) })
		}
	}
	if all := scanAll(t, e, "", 1); len(all) != 1 || !equal(all["p|1"], before) {
		t.Errorf("after refused requests the table holds %v", all)
	}
}
