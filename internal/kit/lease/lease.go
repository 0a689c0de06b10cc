// Package lease grants one process at a time the right to do something, for as long
// as it keeps renewing it.
//
// A lease ends by the clock, without word from its holder, who may be dead or
// stalled. So ask Held before each step: true once is not true for ever.
package lease

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Record is what is stored of a lease.
type Record struct {
	// Holder is empty for a lease that was given back.
	Holder string
	// Term rises by one with each new holder and never falls.
	Term int64
	// Expires is when the lease is free for others.
	Expires time.Time
}

// Store keeps records by name.
type Store interface {
	// Load returns the zero Record for a name never leased.
	Load(ctx context.Context, name string) (Record, error)
	// Swap stores next if prev still is what is stored, and reports whether it did.
	Swap(ctx context.Context, name string, prev, next Record) (bool, error)
}

// Keeper takes leases for one holder. Its fields are set once.
type Keeper struct {
	Store Store
	// Holder names this process. A process that starts under the name of a dead one
	// takes its leases over at once, so no two that live may share a name.
	Holder string
	// For is how long a lease lasts unless it is renewed. Clocks of the processes may
	// differ by a fourth of it.
	For time.Duration
	Now func() time.Time
}

// Lease is a lease as its holder has it. Its methods may be called from several
// goroutines.
type Lease struct {
	keeper *Keeper
	name   string

	// changing is held through a change, mu only while record is touched, so that Held
	// never waits for the store.
	changing sync.Mutex
	mu       sync.Mutex
	record   Record
}

// Take takes a lease that nobody else holds. It returns nil when somebody does.
func (k *Keeper) Take(ctx context.Context, name string) (*Lease, error) {
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
	return &Lease{keeper: k, name: name, record: next}, nil
}

// Term is the number of this holder's turn.
func (l *Lease) Term() int64 { return l.now().Term }

// Held reports whether the lease is surely still held. It turns false a fourth of
// the lease's time before others may take it.
func (l *Lease) Held() bool { return l.left() > l.keeper.For/4 }

// Due reports whether it is time to renew.
func (l *Lease) Due() bool { return l.left() < l.keeper.For/4*3 }

func (l *Lease) left() time.Duration { return l.now().Expires.Sub(l.keeper.Now()) }

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

// Renew extends the lease from now on. It returns false when the lease is lost to
// another holder; it is not held any more then.
func (l *Lease) Renew(ctx context.Context) (bool, error) {
	return l.become(ctx, l.keeper.Holder, l.keeper.Now().Add(l.keeper.For))
}

// Release gives the lease back, so that others need not wait for its end.
func (l *Lease) Release(ctx context.Context) error {
	_, err := l.become(ctx, "", time.Time{})
	return err
}

func (l *Lease) become(ctx context.Context, holder string, expires time.Time) (bool, error) {
	l.changing.Lock()
	defer l.changing.Unlock()
	prev := l.now()
	next := Record{Holder: holder, Term: prev.Term, Expires: expires}
	swapped, err := l.keeper.Store.Swap(ctx, l.name, prev, next)
	if err != nil {
		return false, fmt.Errorf("lease %s: %w", l.name, err)
	}
	if !swapped {
		next = Record{Term: prev.Term}
	}
	l.set(next)
	return swapped, nil
}

// Keep renews the lease until stop is called. The context ends then, and when the lease
// is lost or ctx ends.
func (l *Lease) Keep(ctx context.Context) (held context.Context, stop func()) {
	held, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer cancel()
		tick := time.NewTicker(l.keeper.For / 8)
		defer tick.Stop()
		for l.Held() {
			select {
			case <-held.Done():
				return
			case <-tick.C:
			}
			if l.Due() {
				_, _ = l.Renew(held) // tried again with the next tick, while the lease is held
			}
		}
	}()
	return held, func() { cancel(); <-ended }
}
