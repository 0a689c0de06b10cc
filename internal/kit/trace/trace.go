// Package trace follows a request: the id that its log lines share, how often it called
// the store and how much it has read there.
//
// Both travel in the context. Work that goes on after its request, such as delivering
// an event, must not take that context along, or it is counted there.
package trace

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
)

type (
	requestIDKey struct{}
	callsKey     struct{}
)

// WithRequestID returns a context that carries the id by which logs of one request
// are found.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of ctx, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Calls counts the store calls made under one context, and the bytes that they read.
type Calls struct {
	n, bytes atomic.Int64
	mostRead int64
}

// ErrReadTooMuch is the end of a request that reads more than it may.
var ErrReadTooMuch = errors.New("more is read than one request may read")

// CountCalls returns a context under which Called counts, and Read fails beyond mostRead
// bytes.
func CountCalls(ctx context.Context, mostRead int64) (context.Context, *Calls) {
	c := &Calls{mostRead: mostRead}
	return context.WithValue(ctx, callsKey{}, c), c
}

// CallsOf returns what counts under ctx; it is nil where nobody does.
func CallsOf(ctx context.Context) *Calls {
	c, _ := ctx.Value(callsKey{}).(*Calls)
	return c
}

// Read notes bytes that were read, and refuses those beyond what may be. A nil Calls
// refuses none.
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

// Called notes a store call under ctx; without CountCalls above it nobody asks.
func Called(ctx context.Context) {
	if c := CallsOf(ctx); c != nil {
		c.n.Add(1)
	}
}

// NewRequestID returns an id that is unique enough to find a request by. It is no
// secret.
func NewRequestID() string {
	var digits [16]byte
	n := rand.Uint64()
	for i := range digits {
		digits[i] = "0123456789abcdef"[n&15]
		n >>= 4
	}
	return string(digits[:])
}

// ValidRequestID reports whether a client's id may stand in logs and headers: 1 to
// 128 letters, digits and the characters - _ . : = / +
func ValidRequestID(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("-_.:=/+", c) >= 0:
		default:
			return false
		}
	}
	return true
}
