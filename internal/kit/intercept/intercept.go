// Package intercept wraps clients of DynamoDB so that one function sees every data call.
//
// Calls that only manage tables pass unseen.
package intercept

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
)

// Client passes data calls to Around, and all others to the client that it wraps.
type Client struct {
	dynamodbiface.DynamoDBAPI
	// Around executes a call, and returns its output, or nil with an error.
	Around func(context.Context, Call) (out any, err error)
}

// Call is a call that is about to start.
type Call struct {
	Operation string
	// In points to the input, such as a dynamodb.GetItemInput.
	In any
	// Run executes the call with an input of that type, and returns a pointer to its output.
	Run func(in any) (out any, err error)
}

type options = func(*dynamodb.Options)

// Pass passes a call to around.
func Pass[In, Out any](
	around func(context.Context, Call) (any, error), operation string, ctx context.Context, in *In, o []options,
	call func(context.Context, *In, ...options) (*Out, error),
) (*Out, error) {
	out, err := around(ctx, Call{operation, in, func(in any) (any, error) { return call(ctx, in.(*In), o...) }})
	answer, _ := out.(*Out)
	return answer, err
}

// Tables returns the tables of a call, given its input. A transaction may name one twice.
func Tables(in any) (all []string) {
	switch in := in.(type) {
	case *dynamodb.GetItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.PutItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.UpdateItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.DeleteItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.QueryInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.ScanInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.BatchGetItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.BatchWriteItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.TransactGetItemsInput:
		for _, item := range in.TransactItems {
			if item.Get != nil {
				all = append(all, aws.ToString(item.Get.TableName))
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, item := range in.TransactItems {
			all = append(all, tableOf(item))
		}
	}
	return all
}

func tableOf(item types.TransactWriteItem) string {
	switch {
	case item.Put != nil:
		return aws.ToString(item.Put.TableName)
	case item.Update != nil:
		return aws.ToString(item.Update.TableName)
	case item.Delete != nil:
		return aws.ToString(item.Delete.TableName)
	case item.ConditionCheck != nil:
		return aws.ToString(item.ConditionCheck.TableName)
	}
	return ""
}

func (c *Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...options) (*dynamodb.GetItemOutput, error) {
	return Pass(c.Around, "GetItem", ctx, in, o, c.DynamoDBAPI.GetItem)
}

func (c *Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...options) (*dynamodb.PutItemOutput, error) {
	return Pass(c.Around, "PutItem", ctx, in, o, c.DynamoDBAPI.PutItem)
}

func (c *Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...options) (*dynamodb.UpdateItemOutput, error) {
	return Pass(c.Around, "UpdateItem", ctx, in, o, c.DynamoDBAPI.UpdateItem)
}

func (c *Client) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...options) (*dynamodb.DeleteItemOutput, error) {
	return Pass(c.Around, "DeleteItem", ctx, in, o, c.DynamoDBAPI.DeleteItem)
}

func (c *Client) Query(ctx context.Context, in *dynamodb.QueryInput, o ...options) (*dynamodb.QueryOutput, error) {
	return Pass(c.Around, "Query", ctx, in, o, c.DynamoDBAPI.Query)
}

func (c *Client) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...options) (*dynamodb.ScanOutput, error) {
	return Pass(c.Around, "Scan", ctx, in, o, c.DynamoDBAPI.Scan)
}

func (c *Client) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...options) (*dynamodb.BatchGetItemOutput, error) {
	return Pass(c.Around, "BatchGetItem", ctx, in, o, c.DynamoDBAPI.BatchGetItem)
}

func (c *Client) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...options) (*dynamodb.BatchWriteItemOutput, error) {
	return Pass(c.Around, "BatchWriteItem", ctx, in, o, c.DynamoDBAPI.BatchWriteItem)
}

func (c *Client) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...options) (*dynamodb.TransactGetItemsOutput, error) {
	return Pass(c.Around, "TransactGetItems", ctx, in, o, c.DynamoDBAPI.TransactGetItems)
}

func (c *Client) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...options) (*dynamodb.TransactWriteItemsOutput, error) {
	return Pass(c.Around, "TransactWriteItems", ctx, in, o, c.DynamoDBAPI.TransactWriteItems)
}
