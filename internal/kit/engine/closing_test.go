package engine

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// closes is a context of a request that finds the engine open, and is overtaken by Close
// before it uses the storage.
type closes struct {
	context.Context
	once *sync.Once
	e    *Engine
}

func (c closes) Err() error {
	c.once.Do(func() { c.e.Close() })
	return nil
}

// A server that is closed may still receive requests, or have cut some off that are running.
func TestRequestsThatCloseOvertakes(t *testing.T) {
	things := aws.String("things")
	one := key("p", "1")
	write := raw.Write{Action: raw.Put, Table: "things", Key: raw.Key{Hash: "p", Sort: "1"},
		Fields: []raw.Field{{Name: "pk", Kind: raw.Text, Text: "p"}, {Name: "sk", Kind: raw.Text, Text: "1"}}}
	requests := map[string]func(ctx context.Context, e *Engine) error{
		"GetItem": func(ctx context.Context, e *Engine) error {
			_, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: things, Key: one})
			return err
		},
		"BatchGetItem": func(ctx context.Context, e *Engine) error {
			_, err := e.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"things": {Keys: []Item{one}}}})
			return err
		},
		"TransactGetItems": func(ctx context.Context, e *Engine) error {
			_, err := e.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: things, Key: one}}}})
			return err
		},
		"Query": func(ctx context.Context, e *Engine) error {
			_, err := e.Query(ctx, &dynamodb.QueryInput{TableName: things, KeyConditionExpression: aws.String("pk = :p"),
				ExpressionAttributeValues: item(":p", "p")})
			return err
		},
		"Scan": func(ctx context.Context, e *Engine) error {
			_, err := e.Scan(ctx, &dynamodb.ScanInput{TableName: things})
			return err
		},
		"ReadItems": func(ctx context.Context, e *Engine) error {
			return e.ReadItems(ctx, "things", []raw.Key{{Hash: "p", Sort: "1"}}, func(int, raw.Item) error { return nil })
		},
		"ReadRange": func(ctx context.Context, e *Engine) error {
			_, err := e.ReadRange(ctx, raw.Range{Table: "things", Hash: "p"}, func(raw.Item) error { return nil })
			return err
		},
		"PutItem": func(ctx context.Context, e *Engine) error {
			_, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: things, Item: item("pk", "p", "sk", "1", "new name", "x")})
			return err
		},
		"TransactWriteItems": func(ctx context.Context, e *Engine) error {
			_, err := e.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: things, Item: one}}}})
			return err
		},
		"BatchWriteItem": func(ctx context.Context, e *Engine) error {
			_, err := e.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"things": {{PutRequest: &types.PutRequest{Item: one}}}}})
			return err
		},
		"WriteOne": func(ctx context.Context, e *Engine) error { return e.WriteOne(ctx, write) },
		"WriteAll": func(ctx context.Context, e *Engine) error { return e.WriteAll(ctx, []raw.Write{write}) },
		"CreateTable": func(ctx context.Context, e *Engine) error {
			_, err := e.CreateTable(ctx, testTable("others"))
			return err
		},
		"DeleteTable": func(ctx context.Context, e *Engine) error {
			_, err := e.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: things})
			return err
		},
	}
	for name, request := range requests {
		t.Run(name, func(t *testing.T) {
			e, err := Open(t.TempDir(), WithItemCache(0)) // reads need the storage
			if err != nil {
				t.Fatal(err)
			}
			create(t, e, testTable("things"))
			put(t, e, one)
			if err := request(closes{ctx, new(sync.Once), e}, e); !errors.Is(err, errClosed) {
				t.Errorf("%v, want %v", err, errClosed)
			}
		})
	}
}

// Close waits for a request that is reading, which is answered completely.
func TestCloseAwaitsReaders(t *testing.T) {
	e, err := OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	create(t, e, testTable("things"))
	for i := range 10 {
		put(t, e, key("p", strconv.Itoa(i)))
	}
	closed := make(chan error, 1)
	n := 0
	_, err = e.ReadRange(ctx, raw.Range{Table: "things", Hash: "p"}, func(raw.Item) error {
		if n++; n == 1 {
			go func() { closed <- e.Close() }()
			<-e.closed.Done()
		}
		select {
		case err := <-closed:
			t.Errorf("closed while the request is running: %v", err)
		default:
		}
		return nil
	})
	if err != nil || n != 10 {
		t.Errorf("read %d items, %v", n, err)
	}
	if err := <-closed; err != nil {
		t.Errorf("close: %v", err)
	}
}
