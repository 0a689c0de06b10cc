package batch

import (
	"context"
	"sync"
)

// holder keeps the loaders of an operation.
type holder[L any] struct{ loaders func() *L }

type holderKey[L any] struct{}

// With returns the context of an operation with its loaders, a struct of a system's own.
// They are made in that context when they are first asked for: most operations do without.
func With[L any](ctx context.Context, make func(ctx context.Context) *L) context.Context {
	h := &holder[L]{sync.OnceValue(func() *L { return make(ctx) })}
	return context.WithValue(ctx, holderKey[L]{}, h)
}

// From are the loaders of the operation.
func From[L any](ctx context.Context) *L {
	return ctx.Value(holderKey[L]{}).(*holder[L]).loaders()
}

// One loads what there may be: the zero value stands for nothing.
func (l *Loader[K, V]) One(ctx context.Context, key K) (V, error) {
	value, _, err := l.Load(ctx, key)
	return value, err
}
