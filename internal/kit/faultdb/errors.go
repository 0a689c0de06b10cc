package faultdb

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// failure returns the error of a call that is not a transaction.
func failure(e Effect) error {
	switch e {
	case Throttled:
		return &types.ProvisionedThroughputExceededException{Message: aws.String("injected: too many requests")}
	case ConditionFailed:
		return &types.ConditionalCheckFailedException{Message: aws.String("injected: the condition does not hold")}
	default:
		return &types.InternalServerError{Message: aws.String("injected: internal error")}
	}
}

// canceled returns the error of a transaction of n actions; conditional is the index of one
// with a condition, or negative.
func canceled(e Effect, n, conditional int) error {
	code, at := "", max(conditional, 0)
	switch {
	case e == Throttled:
		code = "ThrottlingError"
	case e == ConditionFailed && conditional >= 0:
		code = "ConditionalCheckFailed"
	case e == ConditionFailed:
		code = "TransactionConflict"
	default:
		return failure(e)
	}
	reasons := make([]types.CancellationReason, n)
	for i := range reasons {
		reasons[i].Code = aws.String("None")
	}
	reasons[at].Code = aws.String(code)
	return &types.TransactionCanceledException{Message: aws.String("injected: " + code), CancellationReasons: reasons}
}
