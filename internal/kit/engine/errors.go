package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"stoa/internal/kit/engine/value"
)

const invalidValues = "One or more parameter values were invalid: "

var errClosed = errors.New("engine: closed")

// invalid returns the error of a request that DynamoDB would refuse. It is converted to a
// ValidationException when it is returned to the caller.
func invalid(format string, args ...any) error { return value.Invalid(format, args...) }

// public converts an error to the form returned by the SDK's client.
func public(err error) error {
	if err == nil {
		return nil
	}
	var bad *value.ValidationError
	if errors.As(err, &bad) {
		return &smithy.GenericAPIError{Code: "ValidationException", Message: bad.Message, Fault: smithy.FaultClient}
	}
	return err
}

// usable returns the reason why no request can be served, or nil.
func (e *Engine) usable(ctx context.Context) error {
	if e.closed.Err() != nil {
		return errClosed
	}
	return ctx.Err()
}

// writable returns the reason why no write can be served, or nil.
func (e *Engine) writable(ctx context.Context) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	return e.disk.writable()
}

// lockShape locks e.shape for a change of tables, unless nothing can be written.
func (e *Engine) lockShape(ctx context.Context) error {
	e.shape.Lock()
	err := e.writable(ctx)
	if err != nil {
		e.shape.Unlock()
	}
	return err
}

// errUnsupported returns the error for operations of DynamoDB that are not implemented.
func errUnsupported(operation, what string) error {
	return &smithy.GenericAPIError{
		Code: "UnknownOperationException", Message: fmt.Sprintf("%s is not supported by this engine: %s", what, operation),
		Fault: smithy.FaultClient,
	}
}

func errNoTable() error {
	return &types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}
}

func errNoTableNamed(name string) error {
	return &types.ResourceNotFoundException{
		Message: aws.String(fmt.Sprintf("Requested resource not found: Table: %s not found", name)),
	}
}

func errNoIndex(name string) error {
	return invalid("The table does not have the specified index: %s", name)
}

func errConditionFailed(item map[string]types.AttributeValue) error {
	return &types.ConditionalCheckFailedException{Message: aws.String(conditionFailed), Item: item}
}

func isConditionFailure(err error) bool {
	var failed *types.ConditionalCheckFailedException
	return errors.As(err, &failed)
}

const conditionFailed = "The conditional request failed"
