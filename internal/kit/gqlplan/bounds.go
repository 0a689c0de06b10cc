package gqlplan

import (
	"context"
	"errors"
	"sync/atomic"
)

// countEvery is how many bytes a writer may be ahead of the count: counting each would
// make all writers of an answer wait for each other.
const countEvery = 16 << 10

// ErrTooLarge is the end of an answer that has more bytes than it may.
var ErrTooLarge = errors.New("the answer is too large")

// Bounds end the execution of a plan whose answer grows too large or takes too long. What
// was written by then is no answer.
type Bounds struct {
	max     int64
	ctx     context.Context
	written atomic.Int64
	err     atomic.Pointer[error]
}

type boundsKey struct{}

// WithBounds returns a context under which an answer may have max bytes, and be written
// until the context ends.
func WithBounds(ctx context.Context, max int64) (context.Context, *Bounds) {
	b := &Bounds{max: max, ctx: ctx}
	return context.WithValue(ctx, boundsKey{}, b), b
}

// Err says why the answer was given up: ErrTooLarge, or how the context ended.
func (b *Bounds) Err() error {
	if err := b.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Count counts n more bytes and reports whether there may be more.
func (b *Bounds) Count(n int) bool {
	if b.written.Add(int64(n)) > b.max {
		b.giveUp(ErrTooLarge)
	}
	return b.err.Load() == nil
}

// InTime reports whether there is time to go on.
func (b *Bounds) InTime() bool {
	if err := b.ctx.Err(); err != nil {
		b.giveUp(err)
	}
	return b.err.Load() == nil
}

// giveUp keeps the first reason.
func (b *Bounds) giveUp(err error) { b.err.CompareAndSwap(nil, &err) }

// ended reports whether nothing more is to be written.
func (w *Writer) ended() bool {
	if w.bounds == nil {
		return false
	}
	// A value that was taken back was counted all the same: the work was done.
	w.counted = min(w.counted, len(w.Buf))
	if n := len(w.Buf) - w.counted; n >= countEvery {
		w.counted = len(w.Buf)
		return !w.bounds.Count(n) || !w.bounds.InTime()
	}
	return w.bounds.err.Load() != nil
}

// count counts what the writer has not counted yet.
func (w *Writer) count() {
	if w.bounds != nil && len(w.Buf) > w.counted {
		w.bounds.Count(len(w.Buf) - w.counted)
		w.counted = len(w.Buf)
	}
}
