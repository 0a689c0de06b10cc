package faultdb

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/intercept"
)

// around executes one SDK call, which is counted, with its faults.
func (c *Client) around(_ context.Context, call intercept.Call) (out any, err error) {
	failed, stored, conditional := failure, []Write(nil), -1
	if in, ok := call.In.(*dynamodb.TransactWriteItemsInput); ok {
		for i, item := range in.TransactItems {
			stored = append(stored, put(item.Put)...)
			if conditional < 0 && item.Put != nil && item.Put.ConditionExpression != nil {
				conditional = i
			}
		}
		failed = func(e Effect) error { return canceled(e, len(in.TransactItems), conditional) }
	}
	c.begin(call.Operation)
	defer c.end()
	err = c.pass(call.Operation, intercept.Tables(call.In), func() (err error) {
		if out, err = call.Run(call.In); err == nil {
			c.tell(stored)
		}
		return err
	}, failed)
	if err != nil {
		return nil, err
	}
	return out, nil
}

type options = func(*dynamodb.Options)

func (c *Client) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...options) (*dynamodb.CreateTableOutput, error) {
	return intercept.Pass(c.around, "CreateTable", ctx, in, o, c.engine.CreateTable)
}

func (c *Client) ListTables(ctx context.Context, in *dynamodb.ListTablesInput, o ...options) (*dynamodb.ListTablesOutput, error) {
	return intercept.Pass(c.around, "ListTables", ctx, in, o, c.engine.ListTables)
}

func (c *Client) ListGlobalTables(ctx context.Context, in *dynamodb.ListGlobalTablesInput, o ...options) (*dynamodb.ListGlobalTablesOutput, error) {
	return intercept.Pass(c.around, "ListGlobalTables", ctx, in, o, c.engine.ListGlobalTables)
}

func (c *Client) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...options) (*dynamodb.DescribeTableOutput, error) {
	return intercept.Pass(c.around, "DescribeTable", ctx, in, o, c.engine.DescribeTable)
}

func (c *Client) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...options) (*dynamodb.UpdateTableOutput, error) {
	return intercept.Pass(c.around, "UpdateTable", ctx, in, o, c.engine.UpdateTable)
}

func (c *Client) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, o ...options) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return intercept.Pass(c.around, "UpdateTimeToLive", ctx, in, o, c.engine.UpdateTimeToLive)
}

func (c *Client) DescribeTimeToLive(ctx context.Context, in *dynamodb.DescribeTimeToLiveInput, o ...options) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return intercept.Pass(c.around, "DescribeTimeToLive", ctx, in, o, c.engine.DescribeTimeToLive)
}

func (c *Client) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, o ...options) (*dynamodb.DeleteTableOutput, error) {
	return intercept.Pass(c.around, "DeleteTable", ctx, in, o, c.engine.DeleteTable)
}
