// Package trace traces a request: the id in its log lines, the number of its store calls
// and the bytes they read. It also limits how many of these calls run concurrently.
//
// Both are in the context. Work that continues after its request, such as delivering an
// event, must not use that context, or it is counted there.
package trace

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"regexp"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

type (
	requestIDKey struct{}
	callsKey     struct{}
)

// WithRequestID returns a context with the id that identifies a request in logs.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of ctx, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// mostAtOnce is the number of store calls that one request makes concurrently. A request may
// ask for hundreds of objects by separate fields; if it read all of them at once, the
// requests of others would wait for each of these calls to have its turn on a processor, and
// the memory of all would be held at the same time.
const mostAtOnce = 16

// promptCalls is the number of calls after which a request lets others go first at each further
// call. A call to a store in this process does not wait for anything, so the goroutines of a
// request that makes thousands would hold the processors for the 10 ms after which Go
// interrupts a goroutine, one after another.
const promptCalls = 100

// Calls counts the store calls made under one context, and the bytes that they read.
type Calls struct {
	n, bytes atomic.Int64
	mostRead int64
	atOnce   *semaphore.Weighted
}

// ErrReadTooMuch is the error of a request that exceeds its read limit.
var ErrReadTooMuch = errors.New("the request exceeds its read limit")

// CountCalls returns a context under which calls are counted, and Read fails beyond mostRead
// bytes.
func CountCalls(ctx context.Context, mostRead int64) (context.Context, *Calls) {
	c := &Calls{mostRead: mostRead, atOnce: semaphore.NewWeighted(mostAtOnce)}
	return context.WithValue(ctx, callsKey{}, c), c
}

// Shared returns a context for reading what is cached for all requests, to which the limit
// of one does not apply. Calls under it are not counted.
func Shared(ctx context.Context) context.Context {
	return context.WithValue(ctx, callsKey{}, (*Calls)(nil))
}

// CallsOf returns the counter of ctx, or nil if there is none.
func CallsOf(ctx context.Context) *Calls {
	c, _ := ctx.Value(callsKey{}).(*Calls)
	return c
}

// Read counts bytes that were read, and returns an error beyond the limit. A nil Calls has
// no limit.
func (c *Calls) Read(bytes int) error {
	if c != nil && c.bytes.Add(int64(bytes)) > c.mostRead {
		return ErrReadTooMuch
	}
	return nil
}

// Count is the number of calls so far; a nil Calls has none.
func (c *Calls) Count() int64 {
	if c == nil {
		return 0
	}
	return c.n.Load()
}

// Begin counts a store call under ctx, if it has a counter, and waits while too many others
// of the same request are running. The caller must call End on the result, which may be nil,
// when the call has ended, and make no other call before that.
func Begin(ctx context.Context) *Calls {
	c := CallsOf(ctx)
	if c == nil {
		return nil
	}
	if c.n.Add(1) > promptCalls {
		runtime.Gosched()
	}
	// Waiting for ctx takes longer than acquiring what is free. A call of a request that has
	// ended fails by itself.
	if c.atOnce.TryAcquire(1) || c.atOnce.Acquire(ctx, 1) == nil {
		return c
	}
	return nil
}

// End ends a call.
func (c *Calls) End() {
	if c != nil {
		c.atOnce.Release(1)
	}
}

// NewRequestID returns an id that is unique enough for finding a request. It is not secret.
func NewRequestID() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, rand.Uint64()))
}

// ValidRequestID reports whether a client's id is safe for logs and headers: 1 to 128
// letters, digits and the characters - _ . : = / +
func ValidRequestID(id string) bool { return requestID.MatchString(id) }

var requestID = regexp.MustCompile(`^[a-zA-Z0-9_.:=/+-]{1,128}$`)
