package wire_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"stoa/internal/kit/engine/wire"
)

// TestEveryMemberTravels sends inputs with every member set through the SDK's client, and
// returns outputs with every member set: everything must arrive.
func TestEveryMemberTravels(t *testing.T) {
	api := &echo{}
	c := client(serve(t, api))
	travel(t, api, c.BatchGetItem)
	travel(t, api, c.BatchWriteItem)
	travel(t, api, c.CreateTable)
	travel(t, api, c.DeleteItem)
	travel(t, api, c.DeleteTable)
	travel(t, api, c.DescribeLimits)
	travel(t, api, c.DescribeTable)
	travel(t, api, c.DescribeTimeToLive)
	travel(t, api, c.GetItem)
	travel(t, api, c.ListTables)
	travel(t, api, c.ListTagsOfResource)
	travel(t, api, c.PutItem)
	travel(t, api, c.Query)
	travel(t, api, c.Scan)
	travel(t, api, c.TagResource)
	travel(t, api, c.TransactGetItems)
	travel(t, api, c.TransactWriteItems)
	travel(t, api, c.UntagResource)
	travel(t, api, c.UpdateItem)
	travel(t, api, c.UpdateTable)
	travel(t, api, c.UpdateTimeToLive)
}

func travel[I, O any](t *testing.T, api *echo, call func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) {
	t.Helper()
	in := new(I)
	name := reflect.TypeFor[I]().Name()
	new(filler).fill(reflect.ValueOf(in).Elem())
	if query, ok := any(in).(*dynamodb.QueryInput); ok {
		query.KeyConditions = nil // refused by the server
	}
	out, err := call(t.Context(), in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !reflect.DeepEqual(api.got, any(in)) {
		t.Errorf("%s arrives as %s\nwant %s", name, dump(api.got), dump(in))
	}
	reflect.ValueOf(out).Elem().FieldByName("ResultMetadata").SetZero()
	if !reflect.DeepEqual(any(out), api.sent) {
		t.Errorf("the answer to %s arrives as %s\nwant %s", name, dump(out), dump(api.sent))
	}
}

// dump prints a value, following its pointers.
func dump(v any) string { return string(appendDump(nil, reflect.ValueOf(v))) }

func appendDump(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(dst, "nil"...)
		}
		return appendDump(dst, v.Elem())
	case reflect.Struct:
		dst = append(dst, v.Type().Name()+"{"...)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
				dst = append(appendDump(append(dst, f.Name+":"...), v.Field(i)), ' ')
			}
		}
		return append(dst, '}')
	case reflect.Map:
		dst = append(dst, '{')
		for entries := v.MapRange(); entries.Next(); {
			dst = append(appendDump(append(dst, entries.Key().String()+":"...), entries.Value()), ' ')
		}
		return append(dst, '}')
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			dst = append(appendDump(dst, v.Index(i)), ' ')
		}
		return append(dst, ']')
	case reflect.String:
		return strconv.AppendQuote(dst, v.String())
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	default:
		return append(dst, v.String()...)
	}
}

// filler sets every member of a structure, with distinct strings.
type filler struct{ count int }

func (f *filler) fill(v reflect.Value) {
	f.count++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.UnixMilli(1_750_000_000_123).UTC()))
		return
	case middleware.Metadata:
		return
	case []byte:
		v.SetBytes([]byte{0, 255, byte(f.count)})
		return
	}
	if v.Type() == reflect.TypeFor[types.AttributeValue]() {
		v.Set(reflect.ValueOf(f.attribute()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, e := reflect.ValueOf("key"+strconv.Itoa(f.count)), reflect.New(v.Type().Elem()).Elem()
			f.fill(e)
			v.SetMapIndex(key, e)
		}
	case reflect.Slice:
		for range 2 {
			e := reflect.New(v.Type().Elem()).Elem()
			f.fill(e)
			v.Set(reflect.Append(v, e))
		}
	case reflect.String:
		if values := v.MethodByName("Values"); values.IsValid() { // an enumeration
			v.Set(values.Call(nil)[0].Index(0))
			return
		}
		v.SetString("text" + strconv.Itoa(f.count))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.count))
	case reflect.Float64:
		v.SetFloat(float64(f.count) + 0.5)
	}
}

// attribute returns a value of every type, with strings that JSON must escape.
func (f *filler) attribute() types.AttributeValue {
	f.count++
	text := "\"quoted\" \\ \n\t\x00\u2028 é 😀 " + strconv.Itoa(f.count)
	return &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
		text:   &types.AttributeValueMemberS{Value: text},
		"n":    &types.AttributeValueMemberN{Value: "-12.5"},
		"b":    &types.AttributeValueMemberB{Value: []byte{0, 1, 254, 255}},
		"bool": &types.AttributeValueMemberBOOL{Value: false},
		"null": &types.AttributeValueMemberNULL{Value: true},
		"l":    &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
		"m":    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}},
		"ss":   &types.AttributeValueMemberSS{Value: []string{"", text}},
		"ns":   &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		"bs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}, {}}},
	}}
}

// echo records its input and returns an output with every member set.
type echo struct {
	wire.API
	got, sent any
}

func answer[I, O any](e *echo, in *I) (*O, error) {
	out := new(O)
	new(filler).fill(reflect.ValueOf(out).Elem())
	e.got, e.sent = in, out
	return out, nil
}

type options = func(*dynamodb.Options)

func (e *echo) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...options) (*dynamodb.BatchGetItemOutput, error) {
	return answer[dynamodb.BatchGetItemInput, dynamodb.BatchGetItemOutput](e, in)
}

func (e *echo) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...options) (*dynamodb.BatchWriteItemOutput, error) {
	return answer[dynamodb.BatchWriteItemInput, dynamodb.BatchWriteItemOutput](e, in)
}

func (e *echo) CreateTable(_ context.Context, in *dynamodb.CreateTableInput, _ ...options) (*dynamodb.CreateTableOutput, error) {
	return answer[dynamodb.CreateTableInput, dynamodb.CreateTableOutput](e, in)
}

func (e *echo) DeleteItem(_ context.Context, in *dynamodb.DeleteItemInput, _ ...options) (*dynamodb.DeleteItemOutput, error) {
	return answer[dynamodb.DeleteItemInput, dynamodb.DeleteItemOutput](e, in)
}

func (e *echo) DeleteTable(_ context.Context, in *dynamodb.DeleteTableInput, _ ...options) (*dynamodb.DeleteTableOutput, error) {
	return answer[dynamodb.DeleteTableInput, dynamodb.DeleteTableOutput](e, in)
}

func (e *echo) DescribeLimits(_ context.Context, in *dynamodb.DescribeLimitsInput, _ ...options) (*dynamodb.DescribeLimitsOutput, error) {
	return answer[dynamodb.DescribeLimitsInput, dynamodb.DescribeLimitsOutput](e, in)
}

func (e *echo) DescribeTable(_ context.Context, in *dynamodb.DescribeTableInput, _ ...options) (*dynamodb.DescribeTableOutput, error) {
	return answer[dynamodb.DescribeTableInput, dynamodb.DescribeTableOutput](e, in)
}

func (e *echo) DescribeTimeToLive(_ context.Context, in *dynamodb.DescribeTimeToLiveInput, _ ...options) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return answer[dynamodb.DescribeTimeToLiveInput, dynamodb.DescribeTimeToLiveOutput](e, in)
}

func (e *echo) GetItem(_ context.Context, in *dynamodb.GetItemInput, _ ...options) (*dynamodb.GetItemOutput, error) {
	return answer[dynamodb.GetItemInput, dynamodb.GetItemOutput](e, in)
}

func (e *echo) ListTables(_ context.Context, in *dynamodb.ListTablesInput, _ ...options) (*dynamodb.ListTablesOutput, error) {
	return answer[dynamodb.ListTablesInput, dynamodb.ListTablesOutput](e, in)
}

func (e *echo) ListTagsOfResource(_ context.Context, in *dynamodb.ListTagsOfResourceInput, _ ...options) (*dynamodb.ListTagsOfResourceOutput, error) {
	return answer[dynamodb.ListTagsOfResourceInput, dynamodb.ListTagsOfResourceOutput](e, in)
}

func (e *echo) PutItem(_ context.Context, in *dynamodb.PutItemInput, _ ...options) (*dynamodb.PutItemOutput, error) {
	return answer[dynamodb.PutItemInput, dynamodb.PutItemOutput](e, in)
}

func (e *echo) Query(_ context.Context, in *dynamodb.QueryInput, _ ...options) (*dynamodb.QueryOutput, error) {
	return answer[dynamodb.QueryInput, dynamodb.QueryOutput](e, in)
}

func (e *echo) Scan(_ context.Context, in *dynamodb.ScanInput, _ ...options) (*dynamodb.ScanOutput, error) {
	return answer[dynamodb.ScanInput, dynamodb.ScanOutput](e, in)
}

func (e *echo) TagResource(_ context.Context, in *dynamodb.TagResourceInput, _ ...options) (*dynamodb.TagResourceOutput, error) {
	return answer[dynamodb.TagResourceInput, dynamodb.TagResourceOutput](e, in)
}

func (e *echo) TransactGetItems(_ context.Context, in *dynamodb.TransactGetItemsInput, _ ...options) (*dynamodb.TransactGetItemsOutput, error) {
	return answer[dynamodb.TransactGetItemsInput, dynamodb.TransactGetItemsOutput](e, in)
}

func (e *echo) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...options) (*dynamodb.TransactWriteItemsOutput, error) {
	return answer[dynamodb.TransactWriteItemsInput, dynamodb.TransactWriteItemsOutput](e, in)
}

func (e *echo) UntagResource(_ context.Context, in *dynamodb.UntagResourceInput, _ ...options) (*dynamodb.UntagResourceOutput, error) {
	return answer[dynamodb.UntagResourceInput, dynamodb.UntagResourceOutput](e, in)
}

func (e *echo) UpdateItem(_ context.Context, in *dynamodb.UpdateItemInput, _ ...options) (*dynamodb.UpdateItemOutput, error) {
	return answer[dynamodb.UpdateItemInput, dynamodb.UpdateItemOutput](e, in)
}

func (e *echo) UpdateTable(_ context.Context, in *dynamodb.UpdateTableInput, _ ...options) (*dynamodb.UpdateTableOutput, error) {
	return answer[dynamodb.UpdateTableInput, dynamodb.UpdateTableOutput](e, in)
}

func (e *echo) UpdateTimeToLive(_ context.Context, in *dynamodb.UpdateTimeToLiveInput, _ ...options) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return answer[dynamodb.UpdateTimeToLiveInput, dynamodb.UpdateTimeToLiveOutput](e, in)
}
