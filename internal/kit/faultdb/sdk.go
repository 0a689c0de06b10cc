package faultdb

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// call executes one SDK call, which is counted, with its faults.
func call[In, Out any](c *Client, operation string, tables []string, ctx context.Context, in *In, options []func(*dynamodb.Options),
	pass func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), failed func(Effect) error) (out *Out, err error) {
	c.begin(operation)
	defer c.end()
	err = c.pass(operation, tables, func() (err error) {
		out, err = pass(ctx, in, options...)
		return err
	}, failed)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func one(table *string) []string { return []string{aws.ToString(table)} }

func named[V any](requests map[string]V) []string { return slices.Collect(maps.Keys(requests)) }

func (c *Client) TransactWriteItems(
	ctx context.Context,
	in *dynamodb.TransactWriteItemsInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	var tables []string
	var stored []Write
	conditional := -1
	for i, item := range in.TransactItems {
		tables = append(tables, tableOf(item))
		stored = append(stored, put(item.Put)...)
		if conditional < 0 && item.Put != nil && item.Put.ConditionExpression != nil {
			conditional = i
		}
	}
	return call(c, "TransactWriteItems", tables, ctx, in, o,
		func(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
			out, err := c.engine.TransactWriteItems(ctx, in, o...)
			if err == nil {
				c.tell(stored)
			}
			return out, err
		},
		func(e Effect) error { return canceled(e, len(in.TransactItems), conditional) })
}

func tableOf(item types.TransactWriteItem) string {
	switch {
	case item.Put != nil:
		return aws.ToString(item.Put.TableName)
	case item.Update != nil:
		return aws.ToString(item.Update.TableName)
	case item.Delete != nil:
		return aws.ToString(item.Delete.TableName)
	default:
		return aws.ToString(item.ConditionCheck.TableName)
	}
}

func (c *Client) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	return call(c, "CreateTable", one(in.TableName), ctx, in, o, c.engine.CreateTable, failure)
}

func (c *Client) ListTables(ctx context.Context, in *dynamodb.ListTablesInput, o ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error) {
	return call(c, "ListTables", nil, ctx, in, o, c.engine.ListTables, failure)
}

func (c *Client) ListGlobalTables(
	ctx context.Context,
	in *dynamodb.ListGlobalTablesInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.ListGlobalTablesOutput, error) {
	return call(c, "ListGlobalTables", nil, ctx, in, o, c.engine.ListGlobalTables, failure)
}

func (c *Client) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return call(c, "DescribeTable", one(in.TableName), ctx, in, o, c.engine.DescribeTable, failure)
}

func (c *Client) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	return call(c, "UpdateTable", one(in.TableName), ctx, in, o, c.engine.UpdateTable, failure)
}

func (c *Client) TransactGetItems(
	ctx context.Context,
	in *dynamodb.TransactGetItemsInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	return call(c, "TransactGetItems", nil, ctx, in, o, c.engine.TransactGetItems, failure)
}

func (c *Client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return call(c, "BatchGetItem", named(in.RequestItems), ctx, in, o, c.engine.BatchGetItem, failure)
}

func (c *Client) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return call(c, "BatchWriteItem", named(in.RequestItems), ctx, in, o, c.engine.BatchWriteItem, failure)
}

func (c *Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return call(c, "GetItem", one(in.TableName), ctx, in, o, c.engine.GetItem, failure)
}

func (c *Client) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return call(c, "DeleteItem", one(in.TableName), ctx, in, o, c.engine.DeleteItem, failure)
}

func (c *Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return call(c, "PutItem", one(in.TableName), ctx, in, o, c.engine.PutItem, failure)
}

func (c *Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return call(c, "UpdateItem", one(in.TableName), ctx, in, o, c.engine.UpdateItem, failure)
}

func (c *Client) UpdateTimeToLive(
	ctx context.Context,
	in *dynamodb.UpdateTimeToLiveInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.UpdateTimeToLiveOutput, error) {
	return call(c, "UpdateTimeToLive", one(in.TableName), ctx, in, o, c.engine.UpdateTimeToLive, failure)
}

func (c *Client) DescribeTimeToLive(
	ctx context.Context,
	in *dynamodb.DescribeTimeToLiveInput,
	o ...func(*dynamodb.Options),
) (*dynamodb.DescribeTimeToLiveOutput, error) {
	return call(c, "DescribeTimeToLive", one(in.TableName), ctx, in, o, c.engine.DescribeTimeToLive, failure)
}

func (c *Client) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return call(c, "Query", one(in.TableName), ctx, in, o, c.engine.Query, failure)
}

func (c *Client) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return call(c, "Scan", one(in.TableName), ctx, in, o, c.engine.Scan, failure)
}

func (c *Client) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	return call(c, "DeleteTable", one(in.TableName), ctx, in, o, c.engine.DeleteTable, failure)
}
