package archive

import (
	"context"
	"sync"
)

// Memo caches the viewer's user for one operation, so that each of its fields can check
// permissions, and limits its reads.
type Memo struct {
	mu    sync.Mutex
	user  *User
	known bool
	// reads has a value for each read that is running.
	reads chan struct{}
}

// MaxReads is the maximum number of queries that the fields of an operation run
// concurrently.
const MaxReads = 10

type memoKey struct{}

// WithMemo returns a context with a memo for one operation.
func WithMemo(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoKey{}, &Memo{reads: make(chan struct{}, MaxReads)})
}

// MemoFrom returns the memo of the operation, or one that caches nothing if there is none.
func MemoFrom(ctx context.Context) *Memo {
	m, _ := ctx.Value(memoKey{}).(*Memo)
	return m
}

// Read calls read once fewer than MaxReads others are running.
func (m *Memo) Read(read func() error) error {
	if m != nil {
		m.reads <- struct{}{}
		defer func() { <-m.reads }()
	}
	return read()
}

// User returns the viewer's user, calling read the first time.
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

// Forget empties the memo after users have changed.
func (m *Memo) Forget() {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.known = false
	}
}
