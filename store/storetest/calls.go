package storetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2/dynamodbiface"
)

// Calls is a client that counts the calls it passes on. It may be used by several
// goroutines.
type Calls struct {
	client dynamodbiface.DynamoDBAPI

	mu         sync.Mutex
	counts     map[string]int
	running    int
	roundTrips int
}

// Reset starts counting anew.
func (c *Calls) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts, c.roundTrips = nil, 0
}

// Total is the number of calls.
func (c *Calls) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	total := 0
	for _, n := range c.counts {
		total += n
	}
	return total
}

// Count is the number of calls of one operation, such as "Query".
func (c *Calls) Count(operation string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[operation]
}

// RoundTrips is the number of times that something had to be waited for: calls that
// overlap count as one.
func (c *Calls) RoundTrips() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.roundTrips
}

// String lists the calls by operation, for messages of failed tests.
func (c *Calls) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for _, operation := range slices.Sorted(maps.Keys(c.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", operation, c.counts[operation]))
	}
	return strings.Join(parts, ", ")
}

func (c *Calls) begin(operation string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[operation]++
	if c.running == 0 {
		c.roundTrips++
	}
	c.running++
}

func (c *Calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
}

// Unwrap and Observe let package keyspec read from and write to the engine directly,
// and count that as the calls it stands for.
func (c *Calls) Unwrap() dynamodbiface.DynamoDBAPI { return c.client }

// Observe counts a call that does not pass through the client.
func (c *Calls) Observe(_ context.Context, operation string, _ ...string) func(error) {
	c.begin(operation)
	return func(error) { c.end() }
}

// call counts one call around its passing on.
func call[In, Out any](c *Calls, operation string, ctx context.Context, in *In, options []func(*dynamodb.Options),
	pass func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)) (*Out, error) {
	c.begin(operation)
	defer c.end()
	return pass(ctx, in, options...)
}

func (c *Calls) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return call(c, "CreateTable", ctx, in, o, c.client.CreateTable)
}

func (c *Calls) ListTables(ctx context.Context, in *dynamodb.ListTablesInput, o ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error) {
	return call(c, "ListTables", ctx, in, o, c.client.ListTables)
}

func (c *Calls) ListGlobalTables(ctx context.Context, in *dynamodb.ListGlobalTablesInput, o ...func(*dynamodb.Options)) (*dynamodb.ListGlobalTablesOutput, error) {
	return call(c, "ListGlobalTables", ctx, in, o, c.client.ListGlobalTables)
}

func (c *Calls) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return call(c, "DescribeTable", ctx, in, o, c.client.DescribeTable)
}

func (c *Calls) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	return call(c, "UpdateTable", ctx, in, o, c.client.UpdateTable)
}

func (c *Calls) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	return call(c, "TransactGetItems", ctx, in, o, c.client.TransactGetItems)
}

func (c *Calls) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return call(c, "BatchGetItem", ctx, in, o, c.client.BatchGetItem)
}

func (c *Calls) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return call(c, "BatchWriteItem", ctx, in, o, c.client.BatchWriteItem)
}

func (c *Calls) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return call(c, "GetItem", ctx, in, o, c.client.GetItem)
}

func (c *Calls) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return call(c, "DeleteItem", ctx, in, o, c.client.DeleteItem)
}

func (c *Calls) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return call(c, "PutItem", ctx, in, o, c.client.PutItem)
}

func (c *Calls) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return call(c, "UpdateItem", ctx, in, o, c.client.UpdateItem)
}

func (c *Calls) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return call(c, "UpdateTimeToLive", ctx, in, o, c.client.UpdateTimeToLive)
}

func (c *Calls) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return call(c, "DescribeTimeToLive", ctx, in, o, c.client.DescribeTimeToLive)
}

func (c *Calls) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return call(c, "Query", ctx, in, o, c.client.Query)
}

func (c *Calls) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return call(c, "Scan", ctx, in, o, c.client.Scan)
}

func (c *Calls) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	return call(c, "DeleteTable", ctx, in, o, c.client.DeleteTable)
}

func (c *Calls) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return call(c, "TransactWriteItems", ctx, in, o, c.client.TransactWriteItems)
}
