package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/guregu/dynamo/v2"
)

// patient repeats calls that the store throttles until their deadline, since a table that
// scales up, or a busy partition, soon accepts them. Other failures are repeated like the
// SDK does.
//
// The SDK's adaptive mode would instead delay all calls of the client, including those to
// other tables, to a rate of down to one in two seconds. Its standard mode takes repeats of
// throttled calls out of a budget that others then lack.
type patient struct {
	*retry.Standard
	delay func(attempt int) time.Duration
}

const (
	// failedAttempts is the maximum number of attempts of a call that fails.
	failedAttempts = 3
	// throttledAttempts is the maximum number of attempts of a throttled call, for work
	// without a deadline. They take half a minute.
	throttledAttempts = 64

	firstThrottledDelay = 25 * time.Millisecond
	lastThrottledDelay  = time.Second
)

func newPatient(delay func(attempt int) time.Duration) *patient {
	return &patient{delay: delay, Standard: retry.NewStandard(dynamo.RetryTxConflicts, func(r *retry.StandardOptions) {
		r.Retryables = append(r.Retryables, retry.IsErrorRetryableFunc(brokeOff))
	})}
}

// throttledDelay returns a random delay after an attempt, counted from 1, so that throttled
// callers do not return at the same time.
func throttledDelay(attempt int) time.Duration {
	return rand.N(min(firstThrottledDelay<<min(attempt, 10), lastThrottledDelay))
}

var throttles = retry.IsErrorThrottles(retry.DefaultThrottles)

func isThrottled(err error) bool { return throttles.IsErrorThrottle(err).Bool() }

// MaxAttempts returns the maximum for any error; RetryDelay has those of each.
func (p *patient) MaxAttempts() int { return throttledAttempts }

// GetRetryToken lets throttled calls be repeated without taking from the budget.
func (p *patient) GetRetryToken(ctx context.Context, err error) (release func(error) error, _ error) {
	if isThrottled(err) {
		return func(error) error { return nil }, nil
	}
	return p.Standard.GetRetryToken(ctx, err)
}

// RetryDelay returns the delay before a call is repeated, or an error if it is not.
func (p *patient) RetryDelay(attempt int, err error) (time.Duration, error) {
	switch {
	case isThrottled(err):
		return p.delay(attempt), nil
	case attempt >= failedAttempts:
		return 0, &retry.MaxAttemptsError{Attempt: attempt, Err: err}
	}
	return p.Standard.RetryDelay(attempt, err)
}

// brokeOff makes requests with a truncated response retryable, like the SDK's requests
// whose connection was reset before the response.
func brokeOff(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}
