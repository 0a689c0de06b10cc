package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

const (
	maxTransaction      = 100
	maxTransactionBytes = 4 << 20
	// transactional is the price of a transaction relative to plain requests.
	transactional = 2
)

// TransactWriteItems executes up to 100 actions on distinct items: all of them, or none. A
// cancelled transaction returns the reasons in the order of its actions. Repeating a
// transaction with the same ClientRequestToken within ten minutes changes nothing and
// succeeds.
func (e *Engine) TransactWriteItems(
	ctx context.Context,
	in *dynamodb.TransactWriteItemsInput,
	_ ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	prepared, t, err := e.judgeTransaction(in)
	if err != nil {
		return nil, public(err)
	}
	changes, effects, wait, err := e.writeTransaction(ctx, prepared, t)
	if errors.Is(err, errReplayed) {
		if err := e.awaitDurable(); err != nil { // the first attempt may not be on disk yet
			return nil, err
		}
		return &dynamodb.TransactWriteItemsOutput{
			ConsumedCapacity: e.replayed(in.ReturnConsumedCapacity, changes),
		}, nil
	}
	if err == errRefused {
		return nil, cancelled(effects)
	}
	if err != nil {
		return nil, public(err)
	}
	if err := wait(); err != nil {
		return nil, err
	}
	if isUnpriced(in.ReturnConsumedCapacity) {
		return &dynamodb.TransactWriteItemsOutput{}, nil
	}
	var costs bill
	for i, ef := range effects {
		costs.add(changes[i].table, ef.units.times(transactional))
	}
	return &dynamodb.TransactWriteItemsOutput{
		ConsumedCapacity: costs.consumed(in.ReturnConsumedCapacity, writing),
	}, nil
}

// judgeTransaction performs the checks of the actions that need no table.
func (e *Engine) judgeTransaction(in *dynamodb.TransactWriteItemsInput) (prepared []preparedWrite, t *token, err error) {
	requests := make([]*writeRequest, len(in.TransactItems))
	for i, a := range in.TransactItems {
		if err := checkOneAction(a); err != nil {
			return nil, nil, err
		}
		requests[i] = actionRequest(a, in.ReturnConsumedCapacity)
	}
	prepared = make([]preparedWrite, len(requests))
	for i, r := range requests {
		if prepared[i], err = e.judge(r); err != nil {
			return nil, nil, err
		}
	}
	if in.ClientRequestToken != nil {
		t = transactionToken(*in.ClientRequestToken, requests)
	}
	return prepared, t, nil
}

func (e *Engine) writeTransaction(ctx context.Context, prepared []preparedWrite, t *token) ([]*change, []effect, func() error, error) {
	if err := e.shareShape(); err != nil {
		return nil, nil, nil, err
	}
	defer e.shape.RUnlock()
	changes := make([]*change, len(prepared))
	size := 0
	for i, prepare := range prepared {
		c, err := prepare()
		if err != nil {
			return nil, nil, nil, err
		}
		if c.isAmong(changes[:i]) {
			return nil, nil, nil, errSameItem()
		}
		size += c.size()
		changes[i] = c
	}
	if size > maxTransactionBytes {
		return nil, nil, nil, errTransactionSize()
	}
	effects, wait, err := e.apply(ctx, changes, t)
	return changes, effects, wait, err
}

// replayed returns the price of a repeated transaction: that of reading its items.
func (e *Engine) replayed(want types.ReturnConsumedCapacity, changes []*change) []types.ConsumedCapacity {
	var costs bill
	for _, c := range changes {
		costs.add(c.table, units{table: transactional * readUnits(0, true)})
	}
	return costs.consumed(want, reading)
}

// cancelled returns the error of a cancelled transaction: a reason for each action, None
// for those without one.
func cancelled(effects []effect) error {
	errs := make([]error, len(effects))
	for i, ef := range effects {
		errs[i] = ef.err
	}
	return cancelledBy(errs)
}

// cancelledBy is like cancelled, for errors; nil means no reason.
func cancelledBy(errs []error) error {
	reasons := make([]types.CancellationReason, len(errs))
	codes := make([]string, len(errs))
	for i, err := range errs {
		reasons[i] = reasonOf(err)
		codes[i] = *reasons[i].Code
	}
	return &types.TransactionCanceledException{
		Message: aws.String("Transaction cancelled, please refer cancellation reasons for specific reasons [" +
			strings.Join(codes, ", ") + "]"),
		CancellationReasons: reasons,
	}
}

func reasonOf(err error) types.CancellationReason {
	var failed *types.ConditionalCheckFailedException
	var bad *value.ValidationError
	switch {
	case errors.As(err, &failed):
		return types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Message: failed.Message, Item: failed.Item}
	case errors.As(err, &bad):
		return types.CancellationReason{Code: aws.String("ValidationError"), Message: aws.String(bad.Message)}
	}
	return types.CancellationReason{Code: aws.String("None")}
}

// isAmong reports whether c concerns the same item as one of others. A change without a
// stored key concerns none.
func (c *change) isAmong(others []*change) bool {
	return slices.ContainsFunc(others, func(other *change) bool {
		return other.stripe == c.stripe && bytes.Equal(other.storedKey, c.storedKey) && !c.hasNoStoredKey()
	})
}

func errSameItem() error {
	return invalid("Transaction request cannot include multiple operations on one item")
}

func errTransactionSize() error {
	return invalid("Collection size of all items in a transaction has exceeded the maximum allowed size of %d bytes", maxTransactionBytes)
}

func checkOneAction(a types.TransactWriteItem) error {
	given := 0
	for _, present := range []bool{a.ConditionCheck != nil, a.Put != nil, a.Delete != nil, a.Update != nil} {
		if present {
			given++
		}
	}
	switch given {
	case 0:
		return invalid("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
	case 1:
		return nil
	default:
		return invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
}
