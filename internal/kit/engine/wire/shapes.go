package wire

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// requiresTable lists the inputs for which a missing table name is reported alone.
var requiresTable = map[reflect.Type]bool{
	reflect.TypeFor[dynamodb.CreateTableInput]():        true,
	reflect.TypeFor[dynamodb.DeleteTableInput]():        true,
	reflect.TypeFor[dynamodb.DescribeTableInput]():      true,
	reflect.TypeFor[dynamodb.DescribeTimeToLiveInput](): true,
	reflect.TypeFor[dynamodb.UpdateTableInput]():        true,
	reflect.TypeFor[dynamodb.UpdateTimeToLiveInput]():   true,
}

// The constraints common to several shapes.
var (
	tableName = []constraint{required, namePattern, minLength(3), maxLength(255)}
	indexName = []constraint{namePattern, minLength(3), maxLength(255)}
	// Administrative operations have their own text for names of a wrong length.
	adminName = []constraint{namePatternIfFits}
	newIndex  = tableName // a required name

	capacity   = []constraint{oneOf("INDEXES", "TOTAL", "NONE")}
	metrics    = []constraint{oneOf("SIZE", "NONE")}
	returned   = []constraint{oneOf("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")}
	onFailure  = []constraint{oneOf("ALL_OLD", "NONE")}
	selection  = []constraint{oneOf("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")}
	joined     = []constraint{oneOf("OR", "AND")}
	comparator = oneOf("IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS")
	billing    = []constraint{oneOf("PROVISIONED", "PAY_PER_REQUEST")}
	throughput = []constraint{required, atLeast(1)}
	keySchema  = []constraint{required, minLength(1), maxLength(2), each(inside)}
	indexKey   = []constraint{required, minLength(1), maxLength(8), each(inside)}
	needed     = []constraint{required}
	nested     = []constraint{inside}
	elements   = []constraint{each(inside)}
	attributes = []constraint{minLength(1)}
	positive   = []constraint{atLeast(1)}
)

// shapes maps each shape to its rules, in the order of DynamoDB's reports.
var shapes = map[reflect.Type][]rule{
	reflect.TypeFor[dynamodb.GetItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"AttributesToGet", attributes},
		{"TableName", tableName},
		{"Key", needed},
	},
	reflect.TypeFor[dynamodb.PutItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"TableName", tableName},
		{"Item", needed},
		{"ConditionalOperator", joined},
		{"Expected", elements},
		{"ReturnValues", returned},
		{"ReturnItemCollectionMetrics", metrics},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
	},
	reflect.TypeFor[dynamodb.DeleteItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"TableName", tableName},
		{"ReturnValues", returned},
		{"ReturnItemCollectionMetrics", metrics},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
		{"Key", needed},
		{"ConditionalOperator", joined},
		{"Expected", elements},
	},
	reflect.TypeFor[dynamodb.UpdateItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"TableName", tableName},
		{"ReturnItemCollectionMetrics", metrics},
		{"ReturnValues", returned},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
		{"Key", needed},
		{"ConditionalOperator", joined},
		{"Expected", elements},
		{"AttributeUpdates", elements},
	},
	reflect.TypeFor[dynamodb.QueryInput](): {
		{"Select", selection},
		{"IndexName", indexName},
		{"ReturnConsumedCapacity", capacity},
		{"QueryFilter", elements},
		{"TableName", tableName},
		{"ConditionalOperator", joined},
		{"AttributesToGet", attributes},
		{"Limit", positive},
		{"KeyConditions", elements},
	},
	reflect.TypeFor[dynamodb.ScanInput](): {
		{"Select", selection},
		{"IndexName", indexName},
		{"TotalSegments", []constraint{atLeast(1), atMost(1000000)}},
		{"ReturnConsumedCapacity", capacity},
		{"TableName", tableName},
		{"ConditionalOperator", joined},
		{"AttributesToGet", attributes},
		{"ScanFilter", elements},
		{"Segment", []constraint{atLeast(0), atMost(999999)}},
		{"Limit", positive},
	},
	reflect.TypeFor[dynamodb.BatchGetItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"RequestItems", []constraint{required, minLength(1), tableKeys, each(inside)}},
	},
	reflect.TypeFor[dynamodb.BatchWriteItemInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"ReturnItemCollectionMetrics", metrics},
		{"RequestItems", []constraint{required, minLength(1), tableKeys, valuesOf(1, 25), each(each(inside))}},
	},
	reflect.TypeFor[dynamodb.TransactGetItemsInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"TransactItems", []constraint{required, minLength(1), maxLength(100), each(inside)}},
	},
	reflect.TypeFor[dynamodb.TransactWriteItemsInput](): {
		{"ReturnConsumedCapacity", capacity},
		{"ReturnItemCollectionMetrics", metrics},
		{"ClientRequestToken", []constraint{minLength(1), maxLength(36)}},
		{"TransactItems", []constraint{required, minLength(1), maxLength(100), each(inside)}},
	},
	reflect.TypeFor[dynamodb.ListTablesInput](): {
		{"Limit", []constraint{atLeast(1), atMost(100)}},
		{"ExclusiveStartTableName", indexName},
	},
	reflect.TypeFor[dynamodb.CreateTableInput](): {
		{"AttributeDefinitions", []constraint{required, each(inside)}},
		{"TableName", adminName},
		{"BillingMode", billing},
		{"ProvisionedThroughput", nested},
		{"KeySchema", keySchema},
		{"GlobalSecondaryIndexes", elements},
		{"LocalSecondaryIndexes", elements},
	},
	reflect.TypeFor[dynamodb.UpdateTableInput](): {
		{"AttributeDefinitions", elements},
		{"TableName", adminName},
		{"BillingMode", billing},
		{"ProvisionedThroughput", nested},
		{"GlobalSecondaryIndexUpdates", elements},
	},
	reflect.TypeFor[dynamodb.DeleteTableInput]():        {{"TableName", adminName}},
	reflect.TypeFor[dynamodb.DescribeTableInput]():      {{"TableName", adminName}},
	reflect.TypeFor[dynamodb.DescribeTimeToLiveInput](): {{"TableName", adminName}},
	reflect.TypeFor[dynamodb.UpdateTimeToLiveInput](): {
		{"TableName", adminName},
		{"TimeToLiveSpecification", []constraint{required, inside}},
	},
	reflect.TypeFor[types.TimeToLiveSpecification](): {
		{"AttributeName", []constraint{required, minLength(1), maxLength(255)}},
		{"Enabled", needed},
	},

	reflect.TypeFor[types.AttributeDefinition](): {
		{"AttributeName", []constraint{required, minLength(1), maxLength(255)}},
		{"AttributeType", []constraint{required, oneOf("B", "N", "S")}},
	},
	reflect.TypeFor[types.KeySchemaElement](): {
		{"AttributeName", []constraint{required, minLength(1), maxLength(255)}},
		{"KeyType", []constraint{required, oneOf("HASH", "RANGE")}},
	},
	reflect.TypeFor[types.ProvisionedThroughput](): {
		{"WriteCapacityUnits", throughput},
		{"ReadCapacityUnits", throughput},
	},
	reflect.TypeFor[types.Projection](): {
		{"ProjectionType", []constraint{oneOf("ALL", "INCLUDE", "KEYS_ONLY")}},
		{"NonKeyAttributes", []constraint{minLength(1), maxLength(20)}},
	},
	reflect.TypeFor[types.GlobalSecondaryIndex](): {
		{"IndexName", newIndex},
		{"KeySchema", indexKey},
		{"Projection", []constraint{required, inside}},
		{"ProvisionedThroughput", nested},
	},
	reflect.TypeFor[types.LocalSecondaryIndex](): {
		{"IndexName", newIndex},
		{"KeySchema", keySchema},
		{"Projection", []constraint{required, inside}},
	},
	reflect.TypeFor[types.GlobalSecondaryIndexUpdate](): {
		{"Update", nested},
		{"Create", nested},
		{"Delete", nested},
	},
	reflect.TypeFor[types.UpdateGlobalSecondaryIndexAction](): {
		{"IndexName", newIndex},
		{"ProvisionedThroughput", nested},
	},
	reflect.TypeFor[types.CreateGlobalSecondaryIndexAction](): {
		{"Projection", []constraint{required, inside}},
		{"IndexName", newIndex},
		{"ProvisionedThroughput", nested},
		{"KeySchema", indexKey},
	},
	reflect.TypeFor[types.DeleteGlobalSecondaryIndexAction](): {
		{"IndexName", newIndex},
	},

	reflect.TypeFor[types.KeysAndAttributes](): {
		{"Keys", []constraint{required, minLength(1), maxLength(100)}},
		{"AttributesToGet", attributes},
	},
	reflect.TypeFor[types.WriteRequest](): {
		{"PutRequest", nested},
		{"DeleteRequest", nested},
	},
	reflect.TypeFor[types.PutRequest]():    {{"Item", needed}},
	reflect.TypeFor[types.DeleteRequest](): {{"Key", needed}},

	reflect.TypeFor[types.TransactGetItem](): {{"Get", []constraint{required, inside}}},
	reflect.TypeFor[types.Get](): {
		{"Key", needed},
		{"TableName", tableName},
	},
	reflect.TypeFor[types.TransactWriteItem](): {
		{"ConditionCheck", nested},
		{"Put", nested},
		{"Delete", nested},
		{"Update", nested},
	},
	reflect.TypeFor[types.ConditionCheck](): {
		{"Key", needed},
		{"TableName", tableName},
		{"ConditionExpression", needed},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
	},
	reflect.TypeFor[types.Put](): {
		{"Item", needed},
		{"TableName", tableName},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
	},
	reflect.TypeFor[types.Delete](): {
		{"Key", needed},
		{"TableName", tableName},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
	},
	reflect.TypeFor[types.Update](): {
		{"Key", needed},
		{"UpdateExpression", needed},
		{"TableName", tableName},
		{"ReturnValuesOnConditionCheckFailure", onFailure},
	},

	reflect.TypeFor[types.Condition]():              {{"ComparisonOperator", []constraint{required, comparator}}},
	reflect.TypeFor[types.ExpectedAttributeValue](): {{"ComparisonOperator", []constraint{comparator}}},
	reflect.TypeFor[types.AttributeValueUpdate]():   {{"Action", []constraint{oneOf("ADD", "PUT", "DELETE")}}},
}
