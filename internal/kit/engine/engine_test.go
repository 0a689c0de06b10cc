package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"stoa/internal/kit/engine/value"
)

var ctx = context.Background()

// memory opens an empty engine for the duration of a test.
func memory(t testing.TB, opts ...Option) *Engine {
	t.Helper()
	e, err := OpenMemory(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return e
}

// The test table: key pk (S), sk (S); indexes of each kind.
//
//	GSI-A1  a1 (S), a1s (S)  ALL
//	GSI-A4  a4 (S), a4s (N)  ALL
//	GSI-K1  k1 (S)           KEYS_ONLY
//	GSI-I1  i1 (B), i1s (B)  INCLUDE kept
func testTable(name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: definitions("pk:S", "sk:S", "a1:S", "a1s:S", "a4:S", "a4s:N", "k1:S", "i1:B", "i1s:B"),
		KeySchema:            schema("pk", "sk"),
	}
	for _, x := range []struct {
		name, hash, sort string
		projection       types.Projection
	}{
		{"GSI-A1", "a1", "a1s", types.Projection{ProjectionType: types.ProjectionTypeAll}},
		{"GSI-A4", "a4", "a4s", types.Projection{ProjectionType: types.ProjectionTypeAll}},
		{"GSI-K1", "k1", "", types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}},
		{"GSI-I1", "i1", "i1s", types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"kept"}}},
	} {
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(x.name), KeySchema: schema(x.hash, x.sort), Projection: &x.projection,
		})
	}
	return in
}

// definitions parses texts of the form "name:type".
func definitions(texts ...string) []types.AttributeDefinition {
	var all []types.AttributeDefinition
	for _, text := range texts {
		n := len(text) - 2
		all = append(all, types.AttributeDefinition{
			AttributeName: aws.String(text[:n]), AttributeType: types.ScalarAttributeType(text[n+1:]),
		})
	}
	return all
}

func schema(hash, sort string) []types.KeySchemaElement {
	s := []types.KeySchemaElement{{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash}}
	if sort != "" {
		s = append(s, types.KeySchemaElement{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange})
	}
	return s
}

// withTable opens an engine in memory with the test table, called "things".
func withTable(t testing.TB, opts ...Option) *Engine {
	t.Helper()
	e := memory(t, opts...)
	create(t, e, testTable("things"))
	return e
}

func create(t testing.TB, e *Engine, in *dynamodb.CreateTableInput) {
	t.Helper()
	if _, err := e.CreateTable(ctx, in); err != nil {
		t.Fatal(err)
	}
}

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v any) types.AttributeValue    { return &types.AttributeValueMemberN{Value: fmt.Sprint(v)} }
func b(v string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(v)} }

// item returns an item with alternating names and values; a string stands for S, an int for
// N.
func item(parts ...any) Item {
	it := Item{}
	for i := 0; i < len(parts); i += 2 {
		switch v := parts[i+1].(type) {
		case string:
			it[parts[i].(string)] = s(v)
		case int:
			it[parts[i].(string)] = n(v)
		case types.AttributeValue:
			it[parts[i].(string)] = v
		default:
			panic(fmt.Sprintf("item: no attribute value for %T", v))
		}
	}
	return it
}

func key(pk, sk string) Item { return item("pk", pk, "sk", sk) }

func put(t testing.TB, e *Engine, it Item) {
	t.Helper()
	if _, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: it}); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, e *Engine, key Item) Item {
	t.Helper()
	out, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item
}

// refused fails the test unless err is a ValidationException with the given text.
func refused(t testing.TB, err error, text string) {
	t.Helper()
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "ValidationException" || api.ErrorMessage() != text {
		t.Errorf("got  %v\nwant ValidationException: %s", err, text)
	}
}

func isValidation(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == "ValidationException"
}

// equal compares items by value; nil is only equal to nil.
func equal(a, b Item) bool {
	x, err := value.NormalizeItem(a)
	y, err2 := value.NormalizeItem(b)
	return err == nil && err2 == nil && (a == nil) == (b == nil) &&
		value.Equal(&types.AttributeValueMemberM{Value: x}, &types.AttributeValueMemberM{Value: y})
}
