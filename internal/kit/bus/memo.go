package bus

import (
	"context"
	"errors"
	"sync"
	"time"
)

// fresh is how old a value may be when another subscriber uses it: those that are not slower
// than others receive a message within milliseconds.
const fresh = 100 * time.Millisecond

// Memo holds what subscribers of this process have read about one message, so that it is read
// once for all of them. A nil Memo holds nothing.
type Memo struct {
	mu     sync.Mutex
	values map[string]*memoized
}

// memoized is a value that is known once done is closed.
type memoized struct {
	began time.Time
	done  chan struct{}
	value any
	err   error
}

var errPanicked = errors.New("the reader has panicked")

// Do returns what read returns for a key, or what another subscriber has read a moment ago or
// is reading. Errors are not shared. The value must not be modified.
func (m *Memo) Do(ctx context.Context, key string, read func(context.Context) (any, error)) (any, error) {
	if m == nil {
		return read(ctx)
	}
	v, mine := m.of(key, time.Now())
	if mine {
		v.err = errPanicked
		defer close(v.done)
		v.value, v.err = read(ctx)
		return v.value, v.err
	}
	select {
	case <-v.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if v.err != nil {
		return read(ctx)
	}
	return v.value, nil
}

// of returns the value of a key, and whether the caller is to read it.
func (m *Memo) of(key string, now time.Time) (v *memoized, mine bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v = m.values[key]; v != nil && now.Sub(v.began) < fresh {
		return v, false
	}
	v = &memoized{began: now, done: make(chan struct{})}
	if m.values == nil {
		m.values = map[string]*memoized{}
	}
	m.values[key] = v
	return v, true
}
