package resolvers

import (
	"context"
	"stoa/internal/kit/refusal"
)

func (r *mutationResolver) LambdaClientError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, refusal.Invalidf("Test of lambda client error, request `%s` `%s`", valueOf(arg1), valueOf(arg2))
}

func (r *mutationResolver) LambdaServerError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, refusal.Faultf("Test of lambda server error")
}

func (r *mutationResolver) DynamoServerError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, errDiagnosed
}
