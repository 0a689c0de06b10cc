package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"stoa/bench/load"
)

// The data of the servers before the measurement.
const (
	filledItems = 2000
	perQuery    = 20 // items of one partition of the index, all read by one query
	// batchSize is the maximum size of a BatchWriteItem.
	batchSize = 25
)

// signed are headers that every server accepts: none of them verifies the signature.
var signed = map[string]string{
	"Authorization": "AWS4-HMAC-SHA256 Credential=bench/20250101/us-east-1/dynamodb/aws4_request, " +
		"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=00",
	"X-Amz-Date": "20250101T000000Z",
}

func workload(name, operation, body string, minBytes int) load.Workload {
	headers := map[string]string{"X-Amz-Target": "DynamoDB_20120810." + operation}
	for header, value := range signed {
		headers[header] = value
	}
	return load.Workload{Name: name, Path: "/", Headers: headers, Body: json.RawMessage(body), MinBytes: minBytes}
}

// item returns an item of about 400 bytes with one index entry. Texts may contain
// templates.
func item(key, partition string) string {
	return fmt.Sprintf(`{"pk":{"S":"item/%s"},"sk":{"S":"-"},"gpk":{"S":"%s"},"gsk":{"N":"%s"},"name":{"S":"an item to measure with"},`+
		`"count":{"N":"42"},"flag":{"BOOL":true},"tags":{"SS":["one","two","three"]},"text":{"S":"%s"}}`,
		key, partition, key, strings.Repeat("lorem ipsum ", 22))
}

const createTable = `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",` +
	`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` +
	`"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},` +
	`{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"N"}],` +
	`"GlobalSecondaryIndexes":[{"IndexName":"GSI-A1","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}],` +
	`"Projection":{"ProjectionType":"ALL"}}]}`

// fillBatch returns a batch of the initial items from first on.
func fillBatch(first int) string {
	var puts []string
	for n := first; n < first+batchSize; n++ {
		puts = append(puts, `{"PutRequest":{"Item":`+item(fmt.Sprint(n), fmt.Sprintf("filled/%d", n/perQuery))+`}}`)
	}
	return `{"RequestItems":{"bench":[` + strings.Join(puts, ",") + `]}}`
}

// transactPut returns one put of a transaction, of a new item.
func transactPut() string {
	return `{"Put":{"TableName":"bench","ConditionExpression":"attribute_not_exists(pk)","Item":` + item("${seq}", "new/${0-999}") + `}}`
}

var (
	get = workload("get", "GetItem", fmt.Sprintf(`{"TableName":"bench","Key":{"pk":{"S":"item/${0-%d}"},"sk":{"S":"-"}}}`, filledItems-1), 400)

	query = workload("GSI query of 20", "Query", fmt.Sprintf(`{"TableName":"bench","IndexName":"GSI-A1","KeyConditionExpression":"gpk = :p",`+
		`"ExpressionAttributeValues":{":p":{"S":"filled/${0-%d}"}}}`, filledItems/perQuery-1), perQuery*400)

	put = workload("put", "PutItem", `{"TableName":"bench","Item":`+item("${seq}", "new/${0-999}")+`}`, 2)

	transaction = workload("transaction of 4 puts", "TransactWriteItems",
		`{"TransactItems":[`+strings.Join([]string{transactPut(), transactPut(), transactPut(), transactPut()}, ",")+`]}`, 2)
)
