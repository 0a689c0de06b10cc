package gqlplan

import (
	"context"
	"errors"
	"sync/atomic"
)

// countEvery is the number of bytes that a writer writes before counting them: counting
// each byte would make all writers of a response contend.
const countEvery = 16 << 10

// ErrTooLarge means that a response exceeds its maximum size.
var ErrTooLarge = errors.New("the answer is too large")

// Bounds stop the execution of a plan whose response becomes too large or takes too long.
// Its output is then invalid.
type Bounds struct {
	max     int64
	ctx     context.Context
	written atomic.Int64
	err     atomic.Pointer[error]
}

type boundsKey struct{}

// WithBounds returns a context under which a response may have max bytes, and be written
// until the context is done.
func WithBounds(ctx context.Context, max int64) (context.Context, *Bounds) {
	b := &Bounds{max: max, ctx: ctx}
	return context.WithValue(ctx, boundsKey{}, b), b
}

// Err returns the reason why the response was abandoned: ErrTooLarge, or the error of the
// context.
func (b *Bounds) Err() error {
	if err := b.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Count adds n bytes and reports whether the limit allows them.
func (b *Bounds) Count(n int) bool {
	if b.written.Add(int64(n)) > b.max {
		b.giveUp(ErrTooLarge)
	}
	return b.err.Load() == nil
}

// InTime reports whether the context is not done.
func (b *Bounds) InTime() bool {
	if err := b.ctx.Err(); err != nil {
		b.giveUp(err)
	}
	return b.err.Load() == nil
}

// giveUp records the first reason.
func (b *Bounds) giveUp(err error) { b.err.CompareAndSwap(nil, &err) }

// ended reports whether writing must stop.
func (w *Writer) ended() bool {
	if w.bounds == nil {
		return false
	}
	// A discarded value is counted nevertheless: the work was done.
	w.counted = min(w.counted, len(w.Buf))
	if n := len(w.Buf) - w.counted; n >= countEvery {
		w.counted = len(w.Buf)
		return !w.bounds.Count(n) || !w.bounds.InTime()
	}
	return w.bounds.err.Load() != nil
}

// count adds what the writer has written since the last count.
func (w *Writer) count() {
	if w.bounds != nil && len(w.Buf) > w.counted {
		w.bounds.Count(len(w.Buf) - w.counted)
		w.counted = len(w.Buf)
	}
}
