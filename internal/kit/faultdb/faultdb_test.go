package faultdb_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/faultdb"
	"stoa/internal/kit/keyspec"
)

var table = &keyspec.Table{Name: "shelf", PK: "pk", SK: "sk"}

type book struct {
	ID    string `dynamo:"id,keyonly"`
	Title string `dynamo:"title"`
}

var books = keyspec.Define[book](table, keyspec.Row{Key: keyspec.K("book/{id}", "-")})

// sdkOnly hides the direct methods of a client, so that the SDK's calls are used.
type sdkOnly struct{ dynamodbiface.DynamoDBAPI }

// eachWay runs a test with the SDK's calls and with direct ones.
func eachWay(t *testing.T, test func(t *testing.T, db *keyspec.DB, c *faultdb.Client)) {
	for name, wrap := range map[string]func(*faultdb.Client) dynamodbiface.DynamoDBAPI{
		"directly": func(c *faultdb.Client) dynamodbiface.DynamoDBAPI { return c },
		"by calls": func(c *faultdb.Client) dynamodbiface.DynamoDBAPI { return sdkOnly{c} },
	} {
		t.Run(name, func(t *testing.T) {
			eng := enginetest.Memory(t)
			c := faultdb.Wrap(eng)
			db := keyspec.Open(dynamo.NewFromIface(wrap(c)), "", table)
			if err := db.CreateTables(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.Reset()
			test(t, db, c)
		})
	}
}

func create(ctx context.Context, db *keyspec.DB, id string) error {
	tx := db.NewTx()
	books.Create(tx, book{ID: id, Title: "t"})
	return tx.Run(ctx)
}

func isThere(t *testing.T, db *keyspec.DB, id string) bool {
	t.Helper()
	b, err := books.Get(t.Context(), db, books.Key(id))
	if err != nil {
		t.Fatal(err)
	}
	return b != nil
}

func TestFaults(t *testing.T) {
	var internal *types.InternalServerError
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *faultdb.Client) {
		disarm := c.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal))
		if err := create(t.Context(), db, "1"); err != nil {
			t.Errorf("the first call: %v", err)
		}
		if err := create(t.Context(), db, "2"); !errors.As(err, &internal) || isThere(t, db, "2") {
			t.Errorf("the second call: %v, took effect: %v", err, isThere(t, db, "2"))
		}
		if err := create(t.Context(), db, "3"); err != nil || !disarm() {
			t.Errorf("the third call: %v", err)
		}

		disarm = c.Arm(faultdb.On("TransactWriteItems", 1, faultdb.Internal).Late())
		if err := create(t.Context(), db, "4"); !errors.As(err, &internal) || !isThere(t, db, "4") || !disarm() {
			t.Errorf("a late fault: %v, took effect: %v", err, isThere(t, db, "4"))
		}

		disarm = c.Arm(faultdb.On("TransactWriteItems", 1, faultdb.Throttled))
		if err := create(t.Context(), db, "5"); err != nil || !disarm() {
			t.Errorf("a throttled transaction is not repeated: %v", err)
		}

		disarm = c.Arm(faultdb.On("", 1, faultdb.ConditionFailed).In("shelf"))
		var conflict *keyspec.Conflict
		if err := create(t.Context(), db, "6"); !errors.As(err, &conflict) || isThere(t, db, "6") || !disarm() {
			t.Errorf("a failed condition: %v", err)
		}

		disarm = c.Arm(faultdb.On("GetItem", 1, faultdb.Internal).In("other"))
		if !isThere(t, db, "1") || disarm() {
			t.Error("a fault of another table happened")
		}
	})
}

// A hook orders two decisions: the first is made before the hook runs, and committed after
// it.
func TestHooks(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *faultdb.Client) {
		c.Arm(faultdb.Before("TransactWriteItems", 1, func() {
			if err := create(t.Context(), db, "1"); err != nil {
				t.Errorf("within the hook: %v", err)
			}
		}))
		var conflict *keyspec.Conflict
		if err := create(t.Context(), db, "1"); !errors.As(err, &conflict) {
			t.Errorf("after the hook: %v", err)
		}
		there := false
		c.Arm(faultdb.After("TransactWriteItems", 1, func() { there = isThere(t, db, "2") }))
		if err := create(t.Context(), db, "2"); err != nil || !there {
			t.Errorf("the hook ran before: %v", err)
		}
	})
}

func TestCounting(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *faultdb.Client) {
		calls := c.Record()
		if err := create(t.Context(), db, "1"); err != nil {
			t.Fatal(err)
		}
		isThere(t, db, "1")
		if got := calls(); len(got) != 2 || got[0] != "TransactWriteItems" || got[1] != "GetItem" {
			t.Errorf("calls %v", got)
		}
		if c.String() != "GetItem 1, TransactWriteItems 1" || c.Total() != 2 || c.RoundTrips() != 2 || c.Count("GetItem") != 1 {
			t.Errorf("counted %s in %d round trips", c, c.RoundTrips())
		}
		if _, err := c.Engine().ListTables(t.Context(), &dynamodb.ListTablesInput{Limit: aws.Int32(1)}); err != nil || c.Total() != 2 {
			t.Errorf("the engine itself is counted, %v", err)
		}
	})
}

func TestWatch(t *testing.T) {
	eachWay(t, func(t *testing.T, db *keyspec.DB, c *faultdb.Client) {
		var seen []faultdb.Write
		c.Watch(func(w faultdb.Write) { seen = append(seen, w) })
		c.Arm(faultdb.On("TransactWriteItems", 1, faultdb.Internal))
		if create(t.Context(), db, "1") == nil || create(t.Context(), db, "2") != nil {
			t.Fatal("the fault did not happen")
		}
		if len(seen) != 1 || seen[0].Text["pk"] != "book/2" || seen[0].Table != "shelf" || seen[0].Text["title"] != "t" {
			t.Errorf("saw %+v", seen)
		}
	})
}
