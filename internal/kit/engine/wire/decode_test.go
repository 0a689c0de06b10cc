package wire_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// TestWrongTypes checks the errors for members of the wrong JSON type.
func TestWrongTypes(t *testing.T) {
	const (
		notHere     = "Start of structure or map found where not expected"
		fieldType   = "Unexpected field type"
		valueType   = "Unexpected value type in payload"
		parserToken = "Unexpected token received from parser"
		space       = "com.amazonaws.dynamodb.v20120810."
	)
	server := serve(t, memory(t))
	for _, c := range []struct{ operation, body, want string }{
		// strings
		{"GetItem", `{"TableName":true}`, "TRUE_VALUE cannot be converted to String"},
		{"GetItem", `{"TableName":false}`, "FALSE_VALUE cannot be converted to String"},
		{"GetItem", `{"TableName":123}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"TableName":-1.5}`, "DECIMAL_VALUE cannot be converted to String"},
		{"GetItem", `{"TableName":["a"]}`, "Unrecognized collection type class java.lang.String"},
		{"GetItem", `{"TableName":{"a":1}}`, notHere},
		{"GetItem", `{"ReturnConsumedCapacity":1}`, "NUMBER_VALUE cannot be converted to String"},

		// booleans and numbers
		{"GetItem", `{"ConsistentRead":1}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"GetItem", `{"ConsistentRead":1.5}`, "DECIMAL_VALUE cannot be converted to Boolean"},
		{"GetItem", `{"ConsistentRead":"x"}`, parserToken},
		{"GetItem", `{"ConsistentRead":[]}`, "Unrecognized collection type class java.lang.Boolean"},
		{"GetItem", `{"ConsistentRead":{}}`, notHere},
		{"Scan", `{"Limit":"5"}`, "STRING_VALUE cannot be converted to Integer"},
		{"Scan", `{"Limit":true}`, "TRUE_VALUE cannot be converted to Integer"},
		{"Scan", `{"Limit":[1]}`, "Unrecognized collection type class java.lang.Integer"},
		{"CreateTable", `{"ProvisionedThroughput":{"ReadCapacityUnits":"1"}}`, "STRING_VALUE cannot be converted to Long"},
		{"CreateTable", `{"ProvisionedThroughput":{"ReadCapacityUnits":{}}}`, notHere},

		// structures
		{"CreateTable", `{"ProvisionedThroughput":1}`, fieldType},
		{"CreateTable", `{"ProvisionedThroughput":[]}`, "Unrecognized collection type class " + space + "ProvisionedThroughput"},
		{"CreateTable", `{"AttributeDefinitions":[1]}`, valueType},
		{"CreateTable", `{"AttributeDefinitions":[[]]}`, "Unrecognized collection type class " + space + "AttributeDefinition"},
		{"CreateTable", `{"AttributeDefinitions":[{"AttributeName":1}]}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `[]`, "Unrecognized collection type class " + space + "GetItemInput"},
		{"GetItem", `1`, fieldType},

		// lists and maps
		{"CreateTable", `{"AttributeDefinitions":"a"}`, fieldType},
		{"CreateTable", `{"AttributeDefinitions":{}}`, notHere},
		{"GetItem", `{"AttributesToGet":["a",1]}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"ExpressionAttributeNames":"a"}`, fieldType},
		{"GetItem", `{"ExpressionAttributeNames":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
		{"GetItem", `{"ExpressionAttributeNames":{"#a":1}}`, "NUMBER_VALUE cannot be converted to String"},
		{"BatchGetItem", `{"RequestItems":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, " + space + "KeysAndAttributes>"},
		{"BatchGetItem", `{"RequestItems":{"abc":1}}`, valueType},
		{"BatchGetItem", `{"RequestItems":{"abc":{"Keys":{}}}}`, notHere},
		{"BatchWriteItem", `{"RequestItems":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, java.util.List<" + space + "WriteRequest>>"},

		// attribute values
		{"GetItem", `{"Key":"x"}`, fieldType},
		{"GetItem", `{"Key":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, " + space + "AttributeValue>"},
		{"GetItem", `{"Key":{"a":1}}`, valueType},
		{"GetItem", `{"Key":{"a":[]}}`, "Unrecognized collection type class " + space + "AttributeValue"},
		{"GetItem", `{"Key":{"a":{"S":1}}}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"Key":{"a":{"S":["x"]}}}`, "Unrecognized collection type class java.lang.String"},
		{"GetItem", `{"Key":{"a":{"N":1}}}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"Key":{"a":{"B":1}}}`, "only base-64-encoded strings are convertible to bytes"},
		{"GetItem", `{"Key":{"a":{"B":"YQ"}}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 2"},
		{"GetItem", `{"Key":{"a":{"B":["YQ=="]}}}`, "Unrecognized collection type class java.nio.ByteBuffer"},
		{"GetItem", `{"Key":{"a":{"B":{}}}}`, notHere},
		{"GetItem", `{"Key":{"a":{"BOOL":"x"}}}`, parserToken},
		{"GetItem", `{"Key":{"a":{"NULL":1}}}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"GetItem", `{"Key":{"a":{"M":[]}}}`, "Unrecognized collection type java.util.Map<java.lang.String, " + space + "AttributeValue>"},
		{"GetItem", `{"Key":{"a":{"M":{"b":1}}}}`, valueType},
		{"GetItem", `{"Key":{"a":{"L":"x"}}}`, fieldType},
		{"GetItem", `{"Key":{"a":{"L":{}}}}`, notHere},
		{"GetItem", `{"Key":{"a":{"L":[1]}}}`, valueType},
		{"GetItem", `{"Key":{"a":{"SS":"x"}}}`, fieldType},
		{"GetItem", `{"Key":{"a":{"NS":[true]}}}`, "TRUE_VALUE cannot be converted to String"},
		{"GetItem", `{"Key":{"a":{"BS":["?"]}}}`, "Base64 encoded length is expected a multiple of 4 bytes but found: 1"},

		// unknown members may have any value
		{"GetItem", `{"Nope":[{"a":"]}"}],"TableName":1}`, "NUMBER_VALUE cannot be converted to String"},
	} {
		response, body := post(t, server, c.operation, c.body, nil)
		if want := coral + `SerializationException","Message":"` + c.want + `"}`; response.StatusCode != 400 || body != want {
			t.Errorf("%s %s\n got  %s\n want %s", c.operation, c.body, body, want)
		}
	}
}

// TestConstraints checks the constraints of members; all violations are reported together.
func TestConstraints(t *testing.T) {
	const (
		name     = "'tableName' failed to satisfy constraint: Member must "
		pattern  = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
		shorter  = "have length less than or equal to "
		longer   = "have length greater than or equal to "
		rcc      = "Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
		ricm     = "Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"
		rv       = "Value 'hi' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
		notNull  = " failed to satisfy constraint: Member must not be null"
		mustHave = " failed to satisfy constraint: Member must "
	)
	server := serve(t, memory(t))
	for _, c := range []struct {
		operation, body string
		want            []string
	}{
		{"GetItem", `{}`, []string{"Value null at 'tableName'" + notNull, "Value null at 'key'" + notNull}},
		{"GetItem", `{"TableName":null}`, []string{"Value null at 'tableName'" + notNull, "Value null at 'key'" + notNull}},
		{"GetItem", `{"TableName":"","Key":{}}`, []string{"Value '' at " + name + pattern, "Value '' at " + name + longer + "3"}},
		{"GetItem", `{"TableName":"a;","Key":{}}`, []string{"Value 'a;' at " + name + pattern, "Value 'a;' at " + name + longer + "3"}},
		{"GetItem", `{"TableName":"` + strings.Repeat("a", 256) + `","Key":{}}`, []string{"Value '" + strings.Repeat("a", 256) + "' at " + name + shorter + "255"}},
		{"GetItem", `{"TableName":"","ReturnConsumedCapacity":"hi","AttributesToGet":[]}`, []string{
			rcc, "Value '[]' at 'attributesToGet'" + mustHave + longer + "1", "Value '' at " + name + pattern, "Value '' at " + name + longer + "3", "Value null at 'key'" + notNull}},
		{"PutItem", `{"TableName":"abc","ReturnValues":"hi","ReturnItemCollectionMetrics":"hi"}`, []string{"Value null at 'item'" + notNull, rv, ricm}},
		{"DeleteItem", `{"TableName":"abc","ReturnValues":"hi","ReturnItemCollectionMetrics":"hi"}`, []string{rv, ricm, "Value null at 'key'" + notNull}},
		{"UpdateItem", `{"TableName":"abc","ReturnValues":"hi","ReturnConsumedCapacity":"hi"}`, []string{rcc, rv, "Value null at 'key'" + notNull}},
		{"UpdateItem", `{"TableName":"abc","Key":{},"ReturnValuesOnConditionCheckFailure":"hi"}`, []string{
			"Value 'hi' at 'returnValuesOnConditionCheckFailure'" + mustHave + "satisfy enum value set: [ALL_OLD, NONE]"}},
		{"Query", `{"Limit":0,"Select":"hi","IndexName":""}`, []string{
			"Value 'hi' at 'select'" + mustHave + "satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
			"Value '' at 'indexName'" + mustHave + pattern, "Value '' at 'indexName'" + mustHave + longer + "3",
			"Value null at 'tableName'" + notNull, "Value '0' at 'limit'" + mustHave + "have value greater than or equal to 1"}},
		{"Scan", `{"TableName":"abc","TotalSegments":0,"Segment":-1}`, []string{
			"Value '0' at 'totalSegments'" + mustHave + "have value greater than or equal to 1", "Value '-1' at 'segment'" + mustHave + "have value greater than or equal to 0"}},
		{"Scan", `{"TableName":"abc","TotalSegments":1000001,"Segment":1000000}`, []string{
			"Value '1000001' at 'totalSegments'" + mustHave + "have value less than or equal to 1000000",
			"Value '1000000' at 'segment'" + mustHave + "have value less than or equal to 999999"}},
		{"Scan", `{"TableName":"abc","Limit":12345678901}`, nil},
		{"ListTables", `{"Limit":101,"ExclusiveStartTableName":"a"}`, []string{
			"Value '101' at 'limit'" + mustHave + "have value less than or equal to 100", "Value 'a' at 'exclusiveStartTableName'" + mustHave + longer + "3"}},
		{"CreateTable", `{"TableName":"abc"}`, []string{"Value null at 'attributeDefinitions'" + notNull, "Value null at 'keySchema'" + notNull}},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[{}],"KeySchema":[],"BillingMode":"hi"}`, []string{
			"Value null at 'attributeDefinitions.1.member.attributeName'" + notNull, "Value null at 'attributeDefinitions.1.member.attributeType'" + notNull,
			"Value 'hi' at 'billingMode'" + mustHave + "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]", "Value '[]' at 'keySchema'" + mustHave + longer + "1"}},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"hi"}],"GlobalSecondaryIndexes":[{}]}`, []string{
			"Value 'hi' at 'keySchema.1.member.keyType'" + mustHave + "satisfy enum value set: [HASH, RANGE]",
			"Value null at 'globalSecondaryIndexes.1.member.indexName'" + notNull, "Value null at 'globalSecondaryIndexes.1.member.keySchema'" + notNull,
			"Value null at 'globalSecondaryIndexes.1.member.projection'" + notNull}},
		{"CreateTable", `{"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"BOOL"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],` +
			`"ProvisionedThroughput":{"WriteCapacityUnits":0,"ReadCapacityUnits":1},` +
			`"GlobalSecondaryIndexes":[{"IndexName":"A1","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"hi","NonKeyAttributes":[]}}]}`, []string{
			"Value 'BOOL' at 'attributeDefinitions.1.member.attributeType'" + mustHave + "satisfy enum value set: [B, N, S]",
			"Value '0' at 'provisionedThroughput.writeCapacityUnits'" + mustHave + "have value greater than or equal to 1",
			"Value 'A1' at 'globalSecondaryIndexes.1.member.indexName'" + mustHave + longer + "3",
			"Value 'hi' at 'globalSecondaryIndexes.1.member.projection.projectionType'" + mustHave + "satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
			"Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes'" + mustHave + longer + "1"}},
		{"Query", `{"TableName":"abc","KeyConditions":{"a":{"ComparisonOperator":"hi"}}}`, []string{
			"Value 'hi' at 'keyConditions.a.member.comparisonOperator'" + mustHave +
				"satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"}},
		{"UpdateTable", `{"TableName":"abc","ProvisionedThroughput":{},"GlobalSecondaryIndexUpdates":[{"Delete":{}}]}`, []string{
			"Value null at 'provisionedThroughput.writeCapacityUnits'" + notNull, "Value null at 'provisionedThroughput.readCapacityUnits'" + notNull,
			"Value null at 'globalSecondaryIndexUpdates.1.member.delete.indexName'" + notNull}},
		{"BatchGetItem", `{}`, []string{"Value null at 'requestItems'" + notNull}},
		{"BatchGetItem", `{"RequestItems":{}}`, []string{"Value '{}' at 'requestItems'" + mustHave + longer + "1"}},
		{"BatchGetItem", `{"RequestItems":{"abc":{}}}`, []string{"Value null at 'requestItems.abc.member.keys'" + notNull}},
		{"BatchGetItem", `{"RequestItems":{"a":{"Keys":[]}}}`, []string{
			`Value '{"a":{"Keys":[]}}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, ` +
				`Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]`,
			"Value '[]' at 'requestItems.a.member.keys'" + mustHave + longer + "1"}},
		{"BatchWriteItem", `{"RequestItems":{"abc":[]}}`, []string{
			`Value '{"abc":[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, ` +
				`Member must have length greater than or equal to 1]`}},
		{"BatchWriteItem", `{"RequestItems":{"abc":[{"PutRequest":{}},{"DeleteRequest":{}}]}}`, []string{
			"Value null at 'requestItems.abc.member.1.member.putRequest.item'" + notNull, "Value null at 'requestItems.abc.member.2.member.deleteRequest.key'" + notNull}},
		{"TransactWriteItems", `{"TransactItems":[]}`, []string{"Value '[]' at 'transactItems'" + mustHave + longer + "1"}},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"abc"}},{"Update":{"TableName":"abc","Key":{}}}]}`, []string{
			"Value null at 'transactItems.1.member.put.item'" + notNull, "Value null at 'transactItems.2.member.update.updateExpression'" + notNull}},
		{"TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"abc","Key":{}}}],"ClientRequestToken":"a token that is longer than thirty-six"}`, []string{
			"Value 'a token that is longer than thirty-six' at 'clientRequestToken'" + mustHave + shorter + "36",
			"Value null at 'transactItems.1.member.conditionCheck.conditionExpression'" + notNull}},
		{"TransactGetItems", `{"TransactItems":[{}]}`, []string{"Value null at 'transactItems.1.member.get'" + notNull}},
	} {
		_, body := post(t, server, c.operation, c.body, nil)
		if c.want == nil {
			if strings.Contains(body, "detected") {
				t.Errorf("%s %s is refused: %s", c.operation, c.body, body)
			}
			continue
		}
		text := "1 validation error detected: "
		if len(c.want) > 1 {
			text = string(rune('0'+len(c.want))) + " validation errors detected: "
		}
		text += strings.Join(c.want, "; ")
		want := `{"__type":"com.amazon.coral.validate#ValidationException","message":"` + strings.ReplaceAll(text, `"`, `\"`) + `"}`
		if body != want {
			t.Errorf("%s %s\n got  %s\n want %s", c.operation, c.body, body, want)
		}
	}
	for _, operation := range []string{"CreateTable", "DeleteTable", "DescribeTable", "UpdateTable", "DescribeTimeToLive", "UpdateTimeToLive"} {
		_, body := post(t, server, operation, "{}", nil)
		if want := `{"__type":"com.amazon.coral.validate#ValidationException","message":"The parameter 'TableName' is required but was not present in the request"}`; body != want {
			t.Errorf("%s without a table: %s", operation, body)
		}
	}
}

// TestValuesOfNoOrSeveralTypes checks attribute values that are possible only in JSON.
func TestValuesOfNoOrSeveralTypes(t *testing.T) {
	const (
		none    = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
		several = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	)
	server := serve(t, memory(t))
	_, body := post(
		t,
		server,
		"CreateTable",
		`{"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}`,
		nil,
	)
	if strings.Contains(body, "__type") {
		t.Fatal(body)
	}
	for v, want := range map[string]string{
		`{}`:                                    none,
		`null`:                                  none,
		`{"S":null}`:                            none,
		`{"X":1}`:                               none,
		`{"S":"a","N":"1"}`:                     several,
		`{"L":[{"S":"a","X":1}]}`:               "",
		`{"M":{"b":{"BOOL":true,"NULL":true}}}`: several,
	} {
		_, body := post(t, server, "PutItem", `{"TableName":"abc","Item":{"a":{"S":"x"},"v":`+v+`}}`, nil)
		if want == "" && body != "{}" || !strings.Contains(body, want) {
			t.Errorf("%s: %s", v, body)
		}
	}
	_, body = post(t, server, "PutItem", `{"TableName":"abc","Item":{"a":{"S":"x"}},"ConditionExpression":"a = :v","ExpressionAttributeValues":{":v":{"S":"a","N":"1"}}}`, nil)
	if want := "ExpressionAttributeValues contains invalid value: " + several + " for key :v"; !strings.Contains(body, want) {
		t.Errorf("got %s, want %s", body, want)
	}
}

// Booleans may be written as strings, in any of three ways.
func TestTruthAsText(t *testing.T) {
	api := &echo{}
	server := serve(t, api)
	for word, want := range map[string]bool{"true": true, "YES": true, "1": true, "False": false, "no": false, "0": false} {
		response, body := post(t, server, "GetItem", `{"TableName":"abc","Key":{"a":{"S":"b"}},"ConsistentRead":"`+word+`"}`, nil)
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", word, body)
			continue
		}
		if in := api.got.(*dynamodb.GetItemInput); *in.ConsistentRead != want {
			t.Errorf("%q is read as %v", word, *in.ConsistentRead)
		}
	}
}
