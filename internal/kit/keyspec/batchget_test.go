package keyspec_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/keyspec"
)

func TestBatchKeepsOrderAndGaps(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		l, p := loans.Sample(2), places.Sample(3)
		write(t, db, func(tx *keyspec.Tx) {
			books.Create(tx, book{BookID: "1", Title: "One"})
			books.Create(tx, book{BookID: "2", Title: "Two"})
			loans.Create(tx, l)
			places.Create(tx, p)
		})
		c.take()

		b := db.NewBatch()
		some := books.Fetch(b, books.Key("2"), books.Key("none"), books.Key("1"), books.Key(""), books.Key("2"))
		lent := loans.Fetch(b, loans.KeyOf(&l))
		at := places.Fetch(b, places.KeyOf(&p))
		again := books.Fetch(b, books.Key("1"))
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"Two", "", "One", "", "Two"} {
			if got := some.At(i); want == "" && got != nil || want != "" && (got == nil || got.Title != want) {
				t.Errorf("book %d: got %+v, want %q", i, got, want)
			}
		}
		if some.Len() != 5 || lent.At(0).ReaderID != l.ReaderID || at.At(0).Room != p.Room || again.At(0).Title != "One" {
			t.Errorf("got %d books, %+v, %+v, %+v", some.Len(), lent.At(0), at.At(0), again.At(0))
		}
		if got := c.take(); len(got) != 1 || got[0] != "BatchGetItem" {
			t.Errorf("calls: %v, want one BatchGetItem", got)
		}
	})
}

// Later reads do not modify rows that were read before.
func TestRowsBelongToTheCaller(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, _ *client) {
		rich, poor := books.Sample(1), book{BookID: "poor"}
		write(t, db, func(tx *keyspec.Tx) {
			books.Create(tx, rich)
			books.Create(tx, poor)
		})
		var read []*book
		for range 50 {
			b := db.NewBatch()
			found := books.Fetch(b, books.KeyOf(&rich), books.KeyOf(&poor))
			if err := b.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, err := books.Get(t.Context(), db, books.KeyOf(&poor))
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, found.At(0), found.At(1), got)
		}
		for i, got := range read {
			if want := []book{rich, poor, poor}[i%3]; !reflect.DeepEqual(*got, want) {
				t.Errorf("read %d is now %+v, want %+v", i, *got, want)
			}
		}
	})
}

func TestBatchOfNothingCostsNothing(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		c.take()
		b := db.NewBatch()
		books.Fetch(b)
		books.Fetch(b, books.Key(""))
		if err := b.Run(t.Context()); err != nil || len(c.take()) != 0 {
			t.Errorf("Run = %v", err)
		}
	})
}

func TestLargeBatch(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *client) {
		bulk := db.NewBulk()
		keys := make([]keyspec.Key, 250)
		for i := range keys {
			id := fmt.Sprint(i)
			keys[i] = books.Key(id)
			if i%3 != 0 {
				books.PutIn(bulk, book{BookID: id, Pages: i})
			}
		}
		if err := bulk.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.take()
		b := db.NewBatch()
		found := books.Fetch(b, keys...)
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range keys {
			if got := found.At(i); (got == nil) != (i%3 == 0) || got != nil && got.Pages != i {
				t.Fatalf("book %d: got %+v", i, got)
			}
		}
		if got := c.take(); len(got) != 3 {
			t.Errorf("calls: %v, want 3", got)
		}
	})
}

// A server may return only some of the items, or none, and leave the rest for the next
// request.
func TestUnprocessedKeysAreAskedForAgain(t *testing.T) {
	db, c := open(t)
	keys := make([]keyspec.Key, 7)
	write(t, db, func(tx *keyspec.Tx) {
		for i := range keys {
			keys[i] = books.Key(fmt.Sprint(i))
			books.Create(tx, book{BookID: fmt.Sprint(i)})
		}
	})
	c.take()
	requests := 0
	c.batchGet = func(in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
		requests++
		if requests == 1 {
			return &dynamodb.BatchGetItemOutput{UnprocessedKeys: in.RequestItems}, nil
		}
		asked := in.RequestItems["test-library"]
		if asked.ConsistentRead == nil || !*asked.ConsistentRead {
			t.Error("a repeated request is not consistent")
		}
		some, rest := asked.Keys[:min(3, len(asked.Keys))], asked.Keys[min(3, len(asked.Keys)):]
		asked.Keys = some
		out, err := c.DynamoDBAPI.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"test-library": asked}})
		if err == nil && len(rest) > 0 {
			asked.Keys = rest
			out.UnprocessedKeys = map[string]types.KeysAndAttributes{"test-library": asked}
		}
		return out, err
	}
	b := db.NewBatch()
	found := books.Fetch(b, keys...)
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range keys {
		if got := found.At(i); got == nil || got.BookID != fmt.Sprint(i) {
			t.Errorf("book %d: got %+v", i, got)
		}
	}
	if requests != 4 {
		t.Errorf("%d requests, want 4", requests)
	}
}

func TestBatchPassesErrorsOn(t *testing.T) {
	db, c := open(t)
	broken := errors.New("broken")
	c.batchGet = func(*dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) { return nil, broken }
	b := db.NewBatch()
	books.Fetch(b, books.Key("1"))
	if err := b.Run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("Run = %v, want the client's error", err)
	}
}
