package batch

import (
	"context"
	"sync"
)

// holder holds the loaders of an operation.
type holder[L any] struct{ loaders func() *L }

type holderKey[L any] struct{}

// With returns the context of an operation with its loaders, a struct defined by the
// system. They are created in that context on first use: most operations need none.
func With[L any](ctx context.Context, make func(ctx context.Context) *L) context.Context {
	h := &holder[L]{sync.OnceValue(func() *L { return make(ctx) })}
	return context.WithValue(ctx, holderKey[L]{}, h)
}

// From returns the loaders of the operation.
func From[L any](ctx context.Context) *L {
	return ctx.Value(holderKey[L]{}).(*holder[L]).loaders()
}

// One returns the value of key, or the zero value if there is none.
func (l *Loader[K, V]) One(ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}
