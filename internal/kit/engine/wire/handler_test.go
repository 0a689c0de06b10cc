package wire_test

import (
	"bufio"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/wire"
)

const coral = `{"__type":"com.amazon.coral.service#`

// TestRequestsThatReachNoOperation checks requests that are refused before an operation is
// called, and which of several errors is reported.
func TestRequestsThatReachNoOperation(t *testing.T) {
	server := serve(t, memory(t))
	authorization := signed["Authorization"]
	for name, c := range map[string]struct {
		operation, body string
		headers         map[string]string
		status          int
		want            string
	}{
		"no body":        {"ListTables", "", nil, 400, coral + `SerializationException"}`},
		"no JSON":        {"ListTables", "hello", nil, 400, coral + `SerializationException"}`},
		"half of a body": {"ListTables", `{"a":`, nil, 400, coral + `SerializationException"}`},
		"two bodies":     {"ListTables", `{} {}`, nil, 400, coral + `SerializationException"}`},
		"no UTF-8":       {"ListTables", "{\"a\":\"\xff\"}", nil, 400, coral + `SerializationException"}`},
		"unknown type":   {"ListTables", "{}", map[string]string{"Content-Type": "text/plain"}, 404, "<UnknownOperationException/>\n"},
		"no type":        {"ListTables", "{}", map[string]string{"Content-Type": ""}, 404, "<UnknownOperationException/>\n"},
		"JSON 1.1":       {"ListTables", "{}", map[string]string{"Content-Type": "application/x-amz-json-1.1"}, 404, "<UnknownOperationException/>\n"},
		"no target":      {"ListTables", "{}", map[string]string{"X-Amz-Target": ""}, 400, coral + `UnknownOperationException"}`},
		"unknown target": {"Nope", "{}", nil, 400, coral + `UnknownOperationException"}`},
		"other service":  {"", "{}", map[string]string{"X-Amz-Target": "DynamoDBStreams_20120810.ListStreams"}, 400, coral + `UnknownOperationException"}`},
		"PartiQL":        {"ExecuteStatement", "{}", nil, 400, coral + `UnknownOperationException","message":"ExecuteStatement is not supported: this engine has no PartiQL"}`},
		"unsigned": {"ListTables", "{}", map[string]string{"Authorization": ""}, 400, coral + `MissingAuthenticationTokenException","message":"Request is missing ` +
			`Authentication Token"}`},
		"other signature": {"ListTables", "{}", map[string]string{"Authorization": "Basic YTpi"}, 400, coral + `MissingAuthenticationTokenException","message":"Request is missing ` +
			`Authentication Token"}`},
		"no date": {"ListTables", "{}", map[string]string{"X-Amz-Date": ""}, 400, coral + `IncompleteSignatureException","message":` +
			`"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. Authorization=` + authorization + `"}`},
		"nothing in the signature": {"ListTables", "{}", map[string]string{"Authorization": "AWS4- x=y"}, 400, coral + `IncompleteSignatureException","message":` +
			`"Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. ` +
			`Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4- x=y"}`},
		"half a signature": {"ListTables", "{}", map[string]string{"Authorization": "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=x"}, 400,
			coral + `IncompleteSignatureException","message":"Authorization header requires 'Signature' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=x"}`},
		"body before target":      {"Nope", "{", nil, 400, coral + `SerializationException"}`},
		"target before signature": {"Nope", "{}", map[string]string{"Authorization": ""}, 400, coral + `UnknownOperationException"}`},
		"signature before members": {"GetItem", `{"TableName":1}`, map[string]string{"Authorization": ""}, 400,
			coral + `MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}`},
		"too large": {"ListTables", "{}" + strings.Repeat(" ", 16<<20), nil, 413, coral + `RequestEntityTooLargeException"}`},
	} {
		t.Run(name, func(t *testing.T) {
			response, body := post(t, server, c.operation, c.body, c.headers)
			if response.StatusCode != c.status || body != c.want {
				t.Errorf("%d %s\nwant %d %s", response.StatusCode, body, c.status, c.want)
			}
			checkEnvelope(t, response, body)
		})
	}
}

var requestID = regexp.MustCompile(`^[A-Z0-9]{52}$`)

func checkEnvelope(t *testing.T, response *http.Response, body string) {
	t.Helper()
	if id := response.Header.Get("x-amzn-RequestId"); !requestID.MatchString(id) {
		t.Errorf("request id %q", id)
	}
	want := strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(body))), 10)
	if got := response.Header.Get("x-amz-crc32"); got != want {
		t.Errorf("checksum %s, want %s", got, want)
	}
}

func TestSignatureInQuery(t *testing.T) {
	server := serve(t, memory(t))
	for query, want := range map[string]string{
		"X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d": `{"TableNames":[]}`,
		"X-Amz-Credential=a": coral + `IncompleteSignatureException","message":"AWS query-string parameters must include 'X-Amz-Signature'. ` +
			`AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine the query-string parameters."}`,
	} {
		r, err := http.NewRequest(http.MethodPost, server.URL+"/?X-Amz-Algorithm=AWS4-HMAC-SHA256&"+query, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		if _, body := do(t, server, r); body != want {
			t.Errorf("%s: %s", query, body)
		}
	}
	r, err := http.NewRequest(http.MethodPost, server.URL+"/?X-Amz-Algorithm=AWS4-HMAC-SHA256", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	for name, v := range signed {
		r.Header.Set(name, v)
	}
	want := coral + `InvalidSignatureException","message":"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}`
	if _, body := do(t, server, r); body != want {
		t.Errorf("signed twice: %s", body)
	}
}

func TestOtherMethods(t *testing.T) {
	server := serve(t, memory(t))
	host := strings.TrimPrefix(server.URL, "http://")
	for method, want := range map[string]string{
		http.MethodGet: "healthy: " + host + " ", http.MethodPut: "<UnknownOperationException/>\n", http.MethodOptions: "<UnknownOperationException/>\n",
	} {
		r, err := http.NewRequest(method, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, body := do(t, server, r)
		if body != want || (response.StatusCode == 200) != (method == http.MethodGet) {
			t.Errorf("%s: %d %q", method, response.StatusCode, body)
		}
		checkEnvelope(t, response, body)
	}
}

func TestContentTypeIsAnswered(t *testing.T) {
	server := serve(t, memory(t))
	for sent, want := range map[string]string{
		"application/x-amz-json-1.0":                "application/x-amz-json-1.0",
		"application/json":                          "application/json",
		"application/x-amz-json-1.0; charset=utf-8": "application/x-amz-json-1.0",
	} {
		response, body := post(t, server, "ListTables", "{}", map[string]string{"Content-Type": sent})
		if got := response.Header.Get("Content-Type"); got != want || body != `{"TableNames":[]}` {
			t.Errorf("%s is answered as %s: %s", sent, got, body)
		}
		checkEnvelope(t, response, body)
	}
}

func TestDescribeEndpoints(t *testing.T) {
	server := serve(t, memory(t))
	_, body := post(t, server, "DescribeEndpoints", "{}", nil)
	want := `{"Endpoints":[{"Address":"` + strings.TrimPrefix(server.URL, "http://") + `","CachePeriodInMinutes":1440}]}`
	if body != want {
		t.Errorf("got %s, want %s", body, want)
	}
}

// failing is an API with one failing operation.
type failing struct {
	wire.API
	err error
}

func (f failing) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return nil, f.err
}

// TestExceptions checks the JSON of each kind of error.
func TestExceptions(t *testing.T) {
	const space = `{"__type":"com.amazonaws.dynamodb.v20120810#`
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{&types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}, 400,
			space + `ResourceNotFoundException","message":"Requested resource not found"}`},
		{&types.ConditionalCheckFailedException{Message: aws.String("The conditional request failed")}, 400,
			space + `ConditionalCheckFailedException","message":"The conditional request failed"}`},
		{&types.ConditionalCheckFailedException{Message: aws.String("no"), Item: map[string]types.AttributeValue{"a": &types.AttributeValueMemberN{Value: "1"}}}, 400,
			space + `ConditionalCheckFailedException","message":"no","Item":{"a":{"N":"1"}}}`},
		{&types.TransactionCanceledException{Message: aws.String("cancelled"), CancellationReasons: []types.CancellationReason{
			{Code: aws.String("None")}, {Code: aws.String("ConditionalCheckFailed"), Message: aws.String("no"),
				Item: map[string]types.AttributeValue{"a": &types.AttributeValueMemberS{Value: "x"}}}}}, 400,
			space + `TransactionCanceledException","Message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Item":{"a":{"S":"x"}},"Message":"no"}]}`},
		{&types.IdempotentParameterMismatchException{Message: aws.String("other")}, 400, space + `IdempotentParameterMismatchException","Message":"other"}`},
		{&types.InternalServerError{Message: aws.String("broken")}, 500, space + `InternalServerError","message":"broken"}`},
		{errors.New("disk /var/db: input/output error"), 500, space + `InternalServerError","message":"Internal server error"}`},
	} {
		server := serve(t, failing{err: c.err})
		response, body := post(t, server, "GetItem", `{"TableName":"abc","Key":{}}`, nil)
		if response.StatusCode != c.status || body != c.want {
			t.Errorf("%v\n got  %d %s\n want %d %s", c.err, response.StatusCode, body, c.status, c.want)
		}
	}
}

// TestClientSeesTypedErrors checks that the SDK's client decodes errors to the original
// types.
func TestClientSeesTypedErrors(t *testing.T) {
	cancelled := &types.TransactionCanceledException{Message: aws.String("cancelled"), CancellationReasons: []types.CancellationReason{
		{Code: aws.String("None")}, {Code: aws.String("ConditionalCheckFailed"), Item: map[string]types.AttributeValue{"a": &types.AttributeValueMemberS{Value: "x"}}}}}
	_, err := client(serve(t, failing{err: cancelled})).GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("abc"), Key: map[string]types.AttributeValue{}})
	var got *types.TransactionCanceledException
	if !errors.As(err, &got) || len(got.CancellationReasons) != 2 || aws.ToString(got.Message) != "cancelled" || got.CancellationReasons[1].Item["a"] == nil {
		t.Errorf("cancellation arrives as %#v", err)
	}
	failed := &types.ConditionalCheckFailedException{Message: aws.String("no"), Item: map[string]types.AttributeValue{"a": &types.AttributeValueMemberN{Value: "1"}}}
	_, err = client(serve(t, failing{err: failed})).GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String("abc"), Key: map[string]types.AttributeValue{}})
	var condition *types.ConditionalCheckFailedException
	if !errors.As(err, &condition) || condition.Item["a"] == nil || condition.ErrorMessage() != "no" {
		t.Errorf("failed condition arrives as %#v", err)
	}
}

// TestBodiesThatBreakOffAreRefused sends malformed chunks, and fewer bytes than announced.
func TestBodiesThatBreakOffAreRefused(t *testing.T) {
	server := serve(t, memory(t))
	for name, rest := range map[string]string{
		"a chunk without size":   "Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
		"a chunk that is longer": "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
		"fewer bytes":            "Content-Length: 100\r\n\r\n{}",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		head := "POST / HTTP/1.1\r\nHost: here\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
		for header, v := range signed {
			head += header + ": " + v + "\r\n"
		}
		if _, err := io.WriteString(conn, head+rest); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusBadRequest || string(body) != `{"__type":"com.amazon.coral.service#SerializationException"}` {
			t.Errorf("%s: %d %s, %v", name, response.StatusCode, body, err)
		}
		conn.Close()
	}
}

// TestTextsOfFaults compares responses to protocol errors with those of DynamoDB.
func TestTextsOfFaults(t *testing.T) {
	server := serve(t, memory(t))
	const (
		invalid   = `{"__type":"com.amazon.coral.validate#ValidationException","message":"`
		malformed = `{"__type":"com.amazon.coral.service#SerializationException","Message":"`
		several   = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
		length    = "TableName must be at least 3 characters long and at most 255 characters long"
		least     = "failed to satisfy constraint: Member must have length greater than or equal to "
		pattern   = "failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
	)
	create := func(name string) string {
		return `{"TableName":"` + name + `","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],` +
			`"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}`
	}
	put := func(v string) string { return `{"TableName":"main","Item":{"pk":{"S":"a"},"b":` + v + `}}` }
	if _, body := post(t, server, "CreateTable", create("main"), nil); !strings.Contains(body, "TableDescription") {
		t.Fatal(body)
	}
	for _, c := range []struct{ operation, body, want string }{
		{"Query", `{"TableName":"main","Limit":0}`, invalid + "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than " +
			"or equal to 1"},
		{"BatchWriteItem", `{"RequestItems":{}}`, invalid + "1 validation error detected: Value '{}' at 'requestItems' " + least + "1"},
		{"BatchWriteItem", `{"RequestItems":{"main":[]}}`, invalid + `1 validation error detected: Value '{\"main\":[]}' at 'requestItems' failed to satisfy constraint: ` +
			"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"},
		{"BatchGetItem", `{"RequestItems":{"main":{"Keys":[]}}}`, invalid + "1 validation error detected: Value '[]' at 'requestItems.main.member.keys' " + least + "1"},
		{"GetItem", `{"TableName":"ab","Key":{}}`, invalid + "1 validation error detected: Value 'ab' at 'tableName' " + least + "3"},
		{"GetItem", `{"TableName":"","Key":{}}`, invalid + "2 validation errors detected: Value '' at 'tableName' " + pattern + "; Value '' at 'tableName' " + least + "3"},
		{"CreateTable", create(""), invalid + length},
		{"CreateTable", create("ab"), invalid + length},
		{"CreateTable", create("a;b"), invalid + "1 validation error detected: Value 'a;b' at 'tableName' " + pattern},
		{"UpdateTable", `{"TableName":"ab"}`, invalid + length},
		{"DeleteTable", `{"TableName":""}`, invalid + length},
		{"DescribeTable", `{"TableName":""}`, invalid + length},
		{"UpdateTable", `{"TableName":"main","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}`, invalid +
			"The provisioned throughput for the table will not change. The requested value equals the current value. " +
			"Current ReadCapacityUnits provisioned for the table: 1. Requested ReadCapacityUnits: 1. " +
			"Current WriteCapacityUnits provisioned for the table: 2. Requested WriteCapacityUnits: 2. " +
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."},
		{"PutItem", put(`{"B":"YR=="}`), malformed + "Invalid last non-pad Base64 character dectected"},
		{"PutItem", put(`{"B":"YQ="}`), malformed + "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"PutItem", put(`{"S":"x","N":"1"}`), invalid + several},
		{"PutItem", put(`{"S":"x","N":"1","BOOL":true}`), invalid + several},
		{"PutItem", put(`{"S":"x","N":"abc"}`), invalid + "The parameter cannot be converted to a numeric value: abc"},
		{"PutItem", put(`{"N":"abc","S":"x"}`), invalid + "The parameter cannot be converted to a numeric value: abc"},
		{"PutItem", put(`{"S":"x","N":"abc","SS":[]}`), invalid + "The parameter cannot be converted to a numeric value: abc"},
		{"PutItem", put(`{"SS":[],"S":"x"}`), invalid + "One or more parameter values were invalid: An string set  may not be empty"},
		{"PutItem", put(`{"L":[{"M":{"c":{"N":"abc"}},"S":"x"}]}`), invalid + "The parameter cannot be converted to a numeric value: abc"},
		{"PutItem", put(`{"NULL":false,"S":"x"}`), invalid + "One or more parameter values were invalid: Null attribute value types must have the value of true"},
		{"ListTagsOfResource", `{"ResourceArn":"arn:aws:dynamodb:ddblocal:000000000000:table/main"}`, `{"Tags":[]`},
	} {
		_, body := post(t, server, c.operation, c.body, nil)
		if want := c.want + "\"}"; body != want && body != c.want+"}" {
			t.Errorf("%s %s\n got  %s\n want %s", c.operation, c.body, body, want)
		}
	}
	for _, contentType := range []string{"", "text/plain", "application/x-amz-json-1.1"} {
		response, body := post(t, server, "ListTables", "{}", map[string]string{"Content-Type": contentType})
		if got, sent := response.Header["Content-Type"]; response.StatusCode != http.StatusNotFound || body != "<UnknownOperationException/>\n" || sent {
			t.Errorf("content type %q: %d %q of type %v", contentType, response.StatusCode, body, got)
		}
	}
}
