package operation

import (
	"context"
	"sync"
	"time"
)

// limited is a context with a deadline. It creates a timer only if Done is called: most
// operations only check Err, and a timer costs more than what they do.
type limited struct {
	context.Context
	deadline time.Time

	mu sync.Mutex
	// err is the cause of the end, once known.
	err error
	// timed is nil until Done is called.
	timed  context.Context
	cancel context.CancelFunc
}

// limit returns a context that is done when ctx is, after a duration, or when its method
// end is called, which the caller must do.
func limit(ctx context.Context, after time.Duration) *limited {
	deadline := time.Now().Add(after)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	return &limited{Context: ctx, deadline: deadline}
}

func (l *limited) Deadline() (time.Time, bool) { return l.deadline, true }

func (l *limited) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed == nil {
		l.timed, l.cancel = context.WithDeadline(l.Context, l.deadline)
		if l.err != nil {
			l.cancel()
		}
	}
	return l.timed.Done()
}

func (l *limited) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended()
}

func (l *limited) ended() error {
	switch {
	case l.err != nil:
	case l.timed != nil:
		l.err = l.timed.Err()
	default:
		if l.err = l.Context.Err(); l.err == nil && !time.Now().Before(l.deadline) {
			l.err = context.DeadlineExceeded
		}
	}
	return l.err
}

// end cancels the context unless it is done.
func (l *limited) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended() == nil {
		l.err = context.Canceled
	}
	if l.cancel != nil {
		l.cancel()
	}
}
