package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

func (r *mutationResolver) LambdaClientError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, refusal.Invalidf("Test of lambda client error, request `%s` `%s`", optional.Or(arg1, ""), optional.Or(arg2, ""))
}

func (r *mutationResolver) LambdaServerError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, refusal.Faultf("Test of lambda server error")
}

func (r *mutationResolver) DynamoServerError(ctx context.Context, arg1 *string, arg2 *string) (*string, error) {
	return nil, errDiagnosed
}
