// Package batch gathers single look-ups that fields of one operation make at the
// same time into one call, and remembers their answers for that operation.
//
// A Loader lives for one operation of one viewer. It must not outlive it: what it
// remembers was allowed for that viewer at that time.
package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// Wait is how long a look-up waits for others to join it, unless New is told
	// otherwise.
	Wait = time.Millisecond
	// most is how many keys one call may carry, the bound of a BatchGetItem.
	most = 100
)

// Fetch answers many keys at once. A key that names nothing is absent from the
// answer. It is called from any goroutine, with the context the Loader was made in.
type Fetch[K comparable, V any] func(ctx context.Context, keys []K) (map[K]V, error)

// Loader batches and remembers the look-ups of one operation. Its methods may be
// called from several goroutines.
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

// New makes a Loader whose calls run in ctx, the operation's context: the field that
// happens to ask first must not be able to cancel what others wait for. A look-up waits
// for that long for others to join it, or for Wait when it is 0.
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

// Load answers key, together with whatever else is asked for while it waits.
// found is false when key names nothing.
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

// join adds key to the call being gathered and starts the call when it is full or
// has waited long enough. The caller holds mu.
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

// safely turns a panic of fetch into an error: it runs on a goroutine of its own,
// where nobody else would catch it.
func (l *Loader[K, V]) safely(keys []K) (values map[K]V, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("batch: fetching %d keys: panic: %v\n%s", len(keys), r, debug.Stack())
		}
	}()
	return l.fetch(l.ctx, keys)
}
