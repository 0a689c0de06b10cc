package keyspec_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/keyspec"
)

func TestBulkWritesInChunks(t *testing.T) {
	db, c := open(t)
	c.take()
	bulk := db.NewBulk()
	for i := range 60 {
		books.PutIn(bulk, book{BookID: fmt.Sprint(i), Pages: 1})
		places.PutIn(bulk, placed{Room: "r", BookID: fmt.Sprint(i), PlacedAt: stampAt(i)})
	}
	books.PutIn(bulk, book{BookID: "0", Pages: 2}) // the last write of an item wins
	books.DeleteIn(bulk, books.Key("1"))
	if err := bulk.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if calls := c.take(); len(calls) != 5 {
		t.Errorf("calls %v, want 5", calls)
	}
	b := db.NewBatch()
	found := books.Fetch(b, books.Key("0"), books.Key("1"), books.Key("59"))
	if err := b.Run(t.Context()); err != nil || found.At(0).Pages != 2 || found.At(1) != nil || found.At(2) == nil {
		t.Errorf("found %+v %+v %+v, %v", found.At(0), found.At(1), found.At(2), err)
	}
	if err := db.NewBulk().Run(t.Context()); err != nil || len(c.take()) != 1 {
		t.Errorf("a bulk of nothing: %v", err)
	}
}

func TestUnprocessedWritesAreRepeated(t *testing.T) {
	db, c := open(t)
	requests := 0
	c.batchWrite = func(in *dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) {
		requests++
		all := in.RequestItems["test-library"]
		out, err := c.DynamoDBAPI.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"test-library": all[:1]}})
		if err == nil && len(all) > 1 {
			out.UnprocessedItems = map[string][]types.WriteRequest{"test-library": all[1:]}
		}
		return out, err
	}
	bulk := db.NewBulk()
	for i := range 3 {
		books.PutIn(bulk, book{BookID: fmt.Sprint(i)})
	}
	if err := bulk.Run(t.Context()); err != nil || requests != 3 {
		t.Errorf("Run = %v after %d requests", err, requests)
	}
	if got, err := books.Get(t.Context(), db, books.Key("2")); got == nil || err != nil {
		t.Errorf("the last item: %+v, %v", got, err)
	}
}

func TestBulkFails(t *testing.T) {
	db, c := open(t)
	bulk := db.NewBulk()
	books.PutIn(bulk, book{Title: "no id"})
	books.DeleteIn(bulk, books.Key(""))
	var bad *keyspec.SlotError
	if err := bulk.Run(t.Context()); !errors.As(err, &bad) {
		t.Errorf("Run = %v, want a SlotError", err)
	}
	broken := errors.New("broken")
	var requests atomic.Int32
	c.batchWrite = func(*dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) {
		requests.Add(1)
		return nil, broken
	}
	bulk = db.NewBulk()
	for i := range 30 {
		books.PutIn(bulk, book{BookID: fmt.Sprint(i)})
	}
	if err := bulk.Run(t.Context()); !errors.Is(err, broken) || requests.Load() != 2 {
		t.Errorf("Run = %v after %d requests", err, requests.Load())
	}
}
