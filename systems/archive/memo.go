package archive

import (
	"context"
	"sync"
)

// Memo remembers who the viewer is for one operation, so that each of its fields can ask.
type Memo struct {
	mu    sync.Mutex
	user  *User
	known bool
}

type memoKey struct{}

// WithMemo returns a context for one operation.
func WithMemo(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoKey{}, new(Memo))
}

// MemoFrom returns that of the operation; without one nothing is remembered.
func MemoFrom(ctx context.Context) *Memo {
	m, _ := ctx.Value(memoKey{}).(*Memo)
	return m
}

// User returns the viewer's user, read at the first question.
func (m *Memo) User(read func() (*User, error)) (*User, error) {
	if m == nil {
		return read()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known {
		return m.user, nil
	}
	u, err := read()
	m.user, m.known = u, err == nil
	return u, err
}

// Forget has the viewer be read again, since users have changed.
func (m *Memo) Forget() {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.known = false
	}
}
