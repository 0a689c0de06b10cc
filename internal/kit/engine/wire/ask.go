package wire

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// AskByExpressions, one of the APIOptions of the SDK's client, makes it send the key
// conditions of queries as expressions. guregu/dynamo builds them in the form from
// before, which a [Handler] refuses.
func AskByExpressions(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("AskByExpressions",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			if query, ok := in.Parameters.(*dynamodb.QueryInput); ok && query.KeyConditions != nil {
				asked, err := byExpression(query)
				if err != nil {
					return middleware.InitializeOutput{}, middleware.Metadata{}, err
				}
				in.Parameters = asked
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
}

var keyComparisons = map[types.ComparisonOperator]string{
	types.ComparisonOperatorEq: "%s = %s", types.ComparisonOperatorLt: "%s < %s", types.ComparisonOperatorLe: "%s <= %s",
	types.ComparisonOperatorGt: "%s > %s", types.ComparisonOperatorGe: "%s >= %s",
	types.ComparisonOperatorBeginsWith: "begins_with(%s, %s)", types.ComparisonOperatorBetween: "%s BETWEEN %s AND %s",
}

// byExpression returns in with an expression in the place of its key conditions.
func byExpression(in *dynamodb.QueryInput) (*dynamodb.QueryInput, error) {
	asked := *in
	asked.KeyConditions = nil
	asked.ExpressionAttributeNames = map[string]string{}
	asked.ExpressionAttributeValues = map[string]types.AttributeValue{}
	maps.Copy(asked.ExpressionAttributeNames, in.ExpressionAttributeNames)
	maps.Copy(asked.ExpressionAttributeValues, in.ExpressionAttributeValues)
	var parts []string
	for i, name := range slices.Sorted(maps.Keys(in.KeyConditions)) {
		c := in.KeyConditions[name]
		form, ok := keyComparisons[c.ComparisonOperator]
		if !ok || strings.Count(form, "%s") != len(c.AttributeValueList)+1 {
			return nil, fmt.Errorf("the condition on key %s is %s of %d values, which no query can have", name, c.ComparisonOperator, len(c.AttributeValueList))
		}
		placeholder := fmt.Sprintf("#key%d", i)
		asked.ExpressionAttributeNames[placeholder] = name
		operands := []any{placeholder}
		for j, v := range c.AttributeValueList {
			placeholder := fmt.Sprintf(":key%d_%d", i, j)
			asked.ExpressionAttributeValues[placeholder] = v
			operands = append(operands, placeholder)
		}
		parts = append(parts, fmt.Sprintf(form, operands...))
	}
	asked.KeyConditionExpression = aws.String(strings.Join(parts, " AND "))
	return &asked, nil
}
