package wire

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// FuzzDecode decodes any JSON as each kind of request: it must not panic, and attribute
// values of accepted requests must survive encoding and decoding.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		`{}`, `[]`, `null`, `{"TableName":"abc","Key":{"a":{"S":"x"}},"ConsistentRead":"true"}`,
		`{"Item":{"b":{"N":"1.50"},"a":{"S":"\u00e9"},"c":{"BOOL":false},"d":{"SS":["b","a"]},"e":{"NULL":true}}}`, `{"Item":{"a":{"S":"b"},"a":{"BOOL":"true"}}}`,
		`{"Item":{"a":{"M":{"b":{"L":[{"N":"1"},{"BS":["YQ=="]},{"NULL":true}]}}}},"Expected":{"a":{"Exists":false}}}`,
		`{"RequestItems":{"abc":{"Keys":[{"a":{"B":"YQ=="}}]},"def":null}}`, `{"RequestItems":{"abc":[{"PutRequest":{"Item":{}}},null]}}`,
		`{"Limit":1e400,"Segment":-0.5,"TotalSegments":99999999999}`, `{"\u0054ableName":"\ud800\u0041"}`, `{"TransactItems":[{"Put":{}},{}]}`,
		`{"KeySchema":[{"KeyType":"x"}],"ProvisionedThroughput":{"ReadCapacityUnits":0}}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if !json.Valid([]byte(body)) || !utf8.ValidString(body) {
			return
		}
		for _, in := range []any{
			&dynamodb.PutItemInput{}, &dynamodb.GetItemInput{}, &dynamodb.ScanInput{}, &dynamodb.QueryInput{}, &dynamodb.BatchGetItemInput{},
			&dynamodb.BatchWriteItemInput{}, &dynamodb.TransactWriteItemsInput{}, &dynamodb.CreateTableInput{}, &dynamodb.UpdateTableInput{},
		} {
			if decode([]byte(body), in) != nil {
				continue
			}
			_ = checkConstraints(in) // it must not panic
			put, ok := in.(*dynamodb.PutItemInput)
			if !ok {
				continue
			}
			once := appendItem(nil, put.Item)
			if !json.Valid(once) {
				t.Fatalf("%q is written as %q", body, once)
			}
			again := &dynamodb.PutItemInput{}
			if err := decode([]byte(`{"Item":`+string(once)+`}`), again); err != nil {
				t.Fatalf("%q is written as %q, which is refused: %v", body, once, err)
			}
			if put.Item != nil && len(again.Item) != len(put.Item) {
				t.Fatalf("%v became %v", reflect.ValueOf(put.Item), reflect.ValueOf(again.Item))
			}
		}
	})
}

const usualPut = `{"TableName":"main","Item":{"pk":{"S":"user/0001"},"sk":{"S":"profile"},"username":{"S":"someone"},` +
	`"fullName":{"S":"Some One"},"bio":{"S":"A text of the usual length for what people say about themselves."},` +
	`"followerCount":{"N":"12"},"followedCount":{"N":"7"},"postCount":{"N":"41"},"privacy":{"S":"PUBLIC"},` +
	`"tags":{"SS":["a","b"]},"at":{"S":"2025-01-01T00:00:00.000Z"}},"ConditionExpression":"attribute_not_exists(pk)"}`

func BenchmarkDecode(b *testing.B) {
	body := []byte(usualPut)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := decode(body, &dynamodb.PutItemInput{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConstraints(b *testing.B) {
	in := &dynamodb.PutItemInput{}
	if err := decode([]byte(usualPut), in); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := checkConstraints(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	in := &dynamodb.PutItemInput{}
	if err := decode([]byte(usualPut), in); err != nil {
		b.Fatal(err)
	}
	out := &dynamodb.GetItemOutput{Item: in.Item}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = appendOutput(dst[:0], out)
	}
}
