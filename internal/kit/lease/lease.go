// Package lease grants one process at a time a renewable exclusive right.
//
// A lease expires by the clock, without notice from its holder, who may be dead or stalled.
// Call Held before each step: a previous result may be outdated.
package lease

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Record is the stored form of a lease.
type Record struct {
	// Holder is empty if the lease has been released.
	Holder string `dynamo:"holder"`
	// Term increases by one with each new holder and never decreases.
	Term int64 `dynamo:"term"`
	// Expires is when others may take the lease.
	Expires time.Time `dynamo:"expiresAt"`
}

// Store stores records by name.
type Store interface {
	// Load returns a record, or the zero Record for a name that was never leased.
	Load(ctx context.Context, name string) (Record, error)
	// Swap stores next if prev is the stored record, and reports whether it did.
	Swap(ctx context.Context, name string, prev, next Record) (bool, error)
}

// Client acquires leases for one holder. Its fields are set once.
type Client struct {
	Store Store
	// Holder identifies this process. A process with the same name as a dead one takes over
	// its leases at once, so no two running processes may share a name.
	Holder string
	// For is the duration of a lease unless it is renewed. The clocks of the processes may
	// differ by a fourth of it.
	For time.Duration
	Now func() time.Time
}

// Lease is a lease from its holder's point of view. Its methods may be called concurrently.
type Lease struct {
	client *Client
	name   string

	// changing is held during a change, mu only while record is accessed, so that Held
	// never waits for the store.
	changing sync.Mutex
	mu       sync.Mutex
	record   Record
}

// Acquire acquires a lease. It returns nil if another holder has it.
func (k *Client) Acquire(ctx context.Context, name string) (*Lease, error) {
	prev, err := k.Store.Load(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("lease %s: %w", name, err)
	}
	now := k.Now()
	if prev.Holder != "" && prev.Holder != k.Holder && now.Before(prev.Expires) {
		return nil, nil
	}
	next := Record{Holder: k.Holder, Term: prev.Term + 1, Expires: now.Add(k.For)}
	taken, err := k.Store.Swap(ctx, name, prev, next)
	if err != nil {
		return nil, fmt.Errorf("lease %s: %w", name, err)
	}
	if !taken {
		return nil, nil
	}
	return &Lease{client: k, name: name, record: next}, nil
}

// Term returns the term of this holder.
func (l *Lease) Term() int64 { return l.now().Term }

// Held reports whether the lease is certainly still held. It becomes false a fourth of the
// lease's duration before others may take it.
func (l *Lease) Held() bool { return l.left() > l.client.For/4 }

// Due reports whether it is time to renew.
func (l *Lease) Due() bool { return l.left() < l.client.For/4*3 }

func (l *Lease) left() time.Duration { return l.now().Expires.Sub(l.client.Now()) }

func (l *Lease) now() Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.record
}

func (l *Lease) set(r Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.record = r
}

// Renew extends the lease from now on. It returns false if another holder has taken the
// lease, which is then no longer held.
func (l *Lease) Renew(ctx context.Context) (bool, error) {
	return l.become(ctx, l.client.Holder, l.client.Now().Add(l.client.For))
}

// Release releases the lease, so that others need not wait for its expiry.
func (l *Lease) Release(ctx context.Context) error {
	_, err := l.become(ctx, "", time.Time{})
	return err
}

func (l *Lease) become(ctx context.Context, holder string, expires time.Time) (bool, error) {
	l.changing.Lock()
	defer l.changing.Unlock()
	prev := l.now()
	next := Record{Holder: holder, Term: prev.Term, Expires: expires}
	swapped, err := l.client.Store.Swap(ctx, l.name, prev, next)
	if err != nil {
		return false, fmt.Errorf("lease %s: %w", l.name, err)
	}
	if !swapped {
		next = Record{Term: prev.Term}
	}
	l.set(next)
	return swapped, nil
}

// Keep renews the lease until stop is called. The returned context is done then, when the
// lease is lost, or when ctx is done.
func (l *Lease) Keep(ctx context.Context) (held context.Context, stop func()) {
	held, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer cancel()
		tick := time.NewTicker(l.client.For / 8)
		defer tick.Stop()
		for l.Held() {
			select {
			case <-held.Done():
				return
			case <-tick.C:
			}
			if l.Due() {
				_, _ = l.Renew(held) // retried at the next tick while the lease is held
			}
		}
	}()
	return held, func() { cancel(); <-ended }
}

// Hold acquires a lease, or returns false if another holder has it, and keeps it until release is
// called, which others then need not wait for. The returned context is that of Keep.
func (k *Client) Hold(ctx context.Context, name string) (held context.Context, release func() error, ok bool, err error) {
	l, err := k.Acquire(ctx, name)
	if l == nil || err != nil {
		return nil, nil, false, err
	}
	held, stop := l.Keep(ctx)
	return held, func() error {
		stop()
		releasing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return l.Release(releasing)
	}, true, nil
}
