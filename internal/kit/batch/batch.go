// Package batch combines lookups of single objects that concurrent fields of one operation
// make into one call, and caches the results for that operation.
//
// A Loader belongs to one operation of one viewer and must not outlive it: cached results
// were permitted for that viewer at that time.
package batch

import (
	"context"
	"sync"
	"time"

	"stoa/internal/kit/together"
)

const (
	// Wait is the default time that a lookup waits for others.
	Wait = time.Millisecond
	// most is the maximum number of keys of one call, which is that of a BatchGetItem.
	most = 100
)

// Fetch returns the values of keys. Keys without a value are absent from the result. It may
// be called by any goroutine, with the context of New.
type Fetch[K comparable, V any] func(ctx context.Context, keys []K) (map[K]V, error)

// Loader batches and caches the lookups of one operation. Its methods may be called
// concurrently.
type Loader[K comparable, V any] struct {
	ctx   context.Context
	fetch Fetch[K, V]
	// after calls a function once a batch has waited long enough; tests replace it.
	after func(func())

	mu      sync.Mutex
	known   map[K]*answer[V]
	pending *call[K, V]
}

type answer[V any] struct {
	done  chan struct{}
	value V
	found bool
	err   error
}

type call[K comparable, V any] struct {
	keys    []K
	answers []*answer[V]
}

// New returns a Loader whose calls use ctx, the operation's context, so that a field cannot
// cancel a call that others wait for. A lookup waits for others for the given time, or Wait
// if it is 0.
func New[K comparable, V any](ctx context.Context, wait time.Duration, fetch Fetch[K, V]) *Loader[K, V] {
	if wait == 0 {
		wait = Wait
	}
	return &Loader[K, V]{
		ctx:   ctx,
		fetch: fetch,
		known: map[K]*answer[V]{},
		after: func(f func()) { time.AfterFunc(wait, f) },
	}
}

// Load returns the value of key, which it looks up together with others. found is false if
// there is none.
func (l *Loader[K, V]) Load(ctx context.Context, key K) (value V, found bool, err error) {
	l.mu.Lock()
	a, ok := l.known[key]
	if !ok {
		a = &answer[V]{done: make(chan struct{})}
		l.known[key] = a
		l.join(key, a)
	}
	l.mu.Unlock()
	select {
	case <-a.done:
		return a.value, a.found, a.err
	case <-ctx.Done():
		return value, false, ctx.Err()
	}
}

// join adds key to the pending call and starts the call when it is full or has waited long
// enough. The caller must hold mu.
func (l *Loader[K, V]) join(key K, a *answer[V]) {
	c := l.pending
	if c == nil {
		c = &call[K, V]{}
		l.pending = c
		l.after(func() {
			l.mu.Lock()
			due := l.pending == c
			if due {
				l.pending = nil
			}
			l.mu.Unlock()
			if due {
				l.run(c)
			}
		})
	}
	c.keys = append(c.keys, key)
	c.answers = append(c.answers, a)
	if len(c.keys) == most {
		l.pending = nil
		go l.run(c)
	}
}

func (l *Loader[K, V]) run(c *call[K, V]) {
	values, err := l.safely(c.keys)
	for i, key := range c.keys {
		a := c.answers[i]
		a.value, a.found = values[key]
		a.err = err
		close(a.done)
	}
}

// safely converts a panic of fetch to an error, because it runs on its own goroutine, where
// nothing else would recover it.
func (l *Loader[K, V]) safely(keys []K) (values map[K]V, err error) {
	err = together.Safely(func() (err error) {
		values, err = l.fetch(l.ctx, keys)
		return err
	})
	return values, err
}
