package keyspec_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
)

// client forwards calls after calling a function of the test, if that is not nil.
type client struct {
	dynamodbiface.DynamoDBAPI
	batchGet   func(*dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error)
	batchWrite func(*dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error)
	transact   func(*dynamodb.TransactWriteItemsInput) error
	// single is called for writes of a single item without a transaction.
	single func() error

	mu    sync.Mutex
	calls []string
}

func (c *client) called(operation string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, operation)
}

// take returns the calls since the last call of take.
func (c *client) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = nil
	return calls
}

func (c *client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.called("GetItem")
	return c.DynamoDBAPI.GetItem(ctx, in, o...)
}

func (c *client) refusesSingle() error {
	if c.single == nil {
		return nil
	}
	return c.single()
}

func (c *client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.called("PutItem")
	if err := c.refusesSingle(); err != nil {
		return nil, err
	}
	return c.DynamoDBAPI.PutItem(ctx, in, o...)
}

func (c *client) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	c.called("DeleteItem")
	if err := c.refusesSingle(); err != nil {
		return nil, err
	}
	return c.DynamoDBAPI.DeleteItem(ctx, in, o...)
}

func (c *client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.called("UpdateItem")
	if err := c.refusesSingle(); err != nil {
		return nil, err
	}
	return c.DynamoDBAPI.UpdateItem(ctx, in, o...)
}

func (c *client) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.called("Query")
	return c.DynamoDBAPI.Query(ctx, in, o...)
}

func (c *client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	c.called("BatchGetItem")
	if c.batchGet != nil {
		return c.batchGet(in)
	}
	return c.DynamoDBAPI.BatchGetItem(ctx, in, o...)
}

func (c *client) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	c.called("BatchWriteItem")
	if c.batchWrite != nil {
		return c.batchWrite(in)
	}
	return c.DynamoDBAPI.BatchWriteItem(ctx, in, o...)
}

func (c *client) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.called("TransactWriteItems")
	if c.transact != nil {
		if err := c.transact(in); err != nil {
			return nil, err
		}
	}
	return c.DynamoDBAPI.TransactWriteItems(ctx, in, o...)
}

// passing is a client that also forwards raw reads and writes.
type passing struct {
	*client
	engine *engine.Engine
}

func (p passing) Unwrap() dynamodbiface.DynamoDBAPI { return p.engine }

func (p passing) Observe(_ context.Context, operation string, _ ...string) func(error) {
	p.called(operation)
	return func(error) {}
}

// open creates the tables on a new engine that can be reached only with the SDK's calls.
// Retries follow immediately.
func open(t testing.TB) (*keyspec.DB, *client) {
	t.Helper()
	db, c, _ := openWays(t)
	return db, c
}

// openWays returns two ways to access the same tables: with the SDK's calls, and directly.
func openWays(t testing.TB) (db *keyspec.DB, c *client, direct *keyspec.DB) {
	t.Helper()
	eng := enginetest.Memory(t)
	c = &client{DynamoDBAPI: eng}
	db = keyspec.Open(dynamo.NewFromIface(c), "test-", library, shelf)
	direct = keyspec.Open(dynamo.NewFromIface(passing{c, eng}), "test-", library, shelf)
	for _, db := range []*keyspec.DB{db, direct} {
		db.SetPause(func(ctx context.Context, _ int) error { return ctx.Err() })
		db.OnDrift = func(_ context.Context, d keyspec.Drift) { t.Errorf("drift: %+v", d) }
	}
	if err := db.CreateTables(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db, c, direct
}

// eachWay runs a test twice: with the SDK's calls, and directly.
func eachWay(t *testing.T, test func(t *testing.T, db *keyspec.DB, c *client)) {
	t.Run("by calls", func(t *testing.T) {
		db, c := open(t)
		test(t, db, c)
	})
	t.Run("directly", func(t *testing.T) {
		_, c, db := openWays(t)
		test(t, db, c)
	})
}

// write runs a transaction that must succeed.
func write(t testing.TB, db *keyspec.DB, add func(*keyspec.Tx)) {
	t.Helper()
	tx := db.NewTx()
	add(tx)
	if err := tx.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// stored returns an item as stored by the engine.
func stored(t testing.TB, c *client, table, pk, sk string) item {
	t.Helper()
	out, err := c.DynamoDBAPI.GetItem(context.Background(), &dynamodb.GetItemInput{
		TableName: &table, Key: item{"pk": text(pk), "sk": text(sk)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item
}
