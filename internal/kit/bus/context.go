package bus

import (
	"context"
	"sync"
)

type (
	lossKey    struct{}
	failureKey struct{}
	trailKey   struct{}
)

// WithLoss returns a context for subscriptions that calls lost before one of them is closed
// because it has missed messages, which otherwise cannot be distinguished from the end of a
// subject. It must not wait.
func WithLoss(ctx context.Context, lost func(reason string)) context.Context {
	return context.WithValue(ctx, lossKey{}, lost)
}

// WithFailure returns a context for subscriptions that calls failed before one of them ends
// because its reader has failed.
func WithFailure(ctx context.Context, failed func(error)) context.Context {
	return context.WithValue(ctx, failureKey{}, failed)
}

// Fail reports that the reader of a subscription with this context has failed.
func Fail(ctx context.Context, err error) {
	if failed, ok := ctx.Value(failureKey{}).(func(error)); ok {
		failed(err)
	}
}

// Trail passes cursors between the transport of a subscription, which knows nothing of
// messages, and its reader, which knows nothing of responses. The methods of a nil Trail,
// that of a transport without cursors, do nothing.
type Trail struct {
	// since is the cursor that the client has sent; nil if none.
	since *string

	mu sync.Mutex
	// start is the cursor where the subscription starts, and resumed is set if that is since.
	start   string
	resumed bool
	// cursors are those of events that the transport has not received.
	cursors []string
}

// WithTrail returns a context for a subscription whose client receives cursors, and may have
// sent one of an earlier subscription.
func WithTrail(ctx context.Context, since *string) (context.Context, *Trail) {
	t := &Trail{since: since}
	return context.WithValue(ctx, trailKey{}, t), t
}

// WithoutTrail returns a context for what is read beside a subscription and has no cursors.
func WithoutTrail(ctx context.Context) context.Context {
	return context.WithValue(ctx, trailKey{}, (*Trail)(nil))
}

// TrailOf returns the trail of a subscription, or nil.
func TrailOf(ctx context.Context) *Trail {
	t, _ := ctx.Value(trailKey{}).(*Trail)
	return t
}

// Since returns the cursor that the client has sent, if any.
func (t *Trail) Since() (cursor string, ok bool) {
	if t == nil || t.since == nil {
		return "", false
	}
	return *t.since, true
}

// Start is called by the reader before the subscription starts.
func (t *Trail) Start(cursor string, resumed bool) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.start, t.resumed = cursor, resumed
	}
}

// Gap returns whether a subscription that has started must tell its client that events may be
// missing since the cursor it has sent, and the cursor where it starts instead, or "" if it
// has none.
func (t *Trail) Gap() (cursor string, gap bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.start, t.since != nil && !t.resumed
}

// Leave is called by the reader before it sends an event, with the cursor after it.
func (t *Trail) Leave(cursor string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cursors = append(t.cursors, cursor)
}

// Take returns the cursor of the event that the transport has received, or "" if it has none.
func (t *Trail) Take() (cursor string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.cursors) > 0 {
		cursor = t.cursors[0]
		t.cursors = pop(t.cursors)
	}
	return cursor
}
