package batch

import (
	"context"
	"sync"
)

// holder holds the loaders of an operation.
type holder[L any] struct {
	ctx     context.Context
	create  func(ctx context.Context) *L
	once    sync.Once
	loaders *L
}

type holderKey[L any] struct{}

// With returns the context of an operation with its loaders, a struct defined by the
// system. They are created in that context on first use: most operations need none.
func With[L any](ctx context.Context, create func(ctx context.Context) *L) context.Context {
	return context.WithValue(ctx, holderKey[L]{}, &holder[L]{ctx: ctx, create: create})
}

// From returns the loaders of the operation.
func From[L any](ctx context.Context) *L {
	h := ctx.Value(holderKey[L]{}).(*holder[L])
	h.once.Do(func() { h.loaders = h.create(h.ctx) })
	return h.loaders
}

// One returns the value of key, or the zero value if there is none.
func (l *Loader[K, V]) One(ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}
