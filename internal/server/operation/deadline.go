package operation

import (
	"context"
	"sync"
	"time"
)

// limited is a context that ends at its deadline. It does without a timer until
// somebody waits for its end: most operations only ever ask whether it has come, and a
// timer costs more than what they ask.
type limited struct {
	context.Context
	deadline time.Time

	mu sync.Mutex
	// err is why it ended, once that was found out.
	err error
	// timed is nil until somebody waits.
	timed  context.Context
	cancel context.CancelFunc
}

// limit returns a context that ends with ctx, after a time, or by its method end, which
// has to be called.
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

// end cancels the context, unless it has ended.
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
