// Package gather carries out calls that change the same item together while there are many of
// them, so that the item is written once for all of them.
//
// An item has one transaction at a time. Calls that each write it with a transaction of their own
// wait for each other at best, and are refused at worst, and each pays for writing it.
package gather

import (
	"context"
	"errors"
	"sync"
	"time"

	"stoa/internal/kit/together"
)

// Calls gathers calls by key. Its methods may be called concurrently.
type Calls[K comparable, In, Out any] struct {
	limits Limits
	// carry carries out calls with one key and returns their results in the same order.
	carry func(ctx context.Context, key K, in []In) []Out

	mu   sync.Mutex
	keys map[K]*heat[In, Out]
	// swept is when cold keys were last forgotten.
	swept time.Time
}

// Limits say what is gathered.
type Limits struct {
	// From is the number of calls within a second from which a key is hot.
	From int
	// Pause is how long the first of several calls waits for others.
	Pause time.Duration
	// Most is the maximum number of calls that are carried out together.
	Most int
	// Beside is set if a batch need not wait for the one before.
	Beside bool
}

// heat is what is known of a key.
type heat[In, Out any] struct {
	// since is when the present second began, calls the number of calls within it; hot is set
	// if the second before had enough.
	since time.Time
	calls int
	hot   bool
	// open is the batch that calls can join, last the one that was opened last.
	open, last *batch[In, Out]
}

// batch is calls that are carried out together.
type batch[In, Out any] struct {
	in []In
	// full is closed when no more calls fit, done when they have been carried out.
	full, done chan struct{}
	out        []Out
	err        error
}

// New returns Calls that are carried out by carry, one batch of each key after the other. Its context
// is that of one of the calls, but not canceled with it.
func New[K comparable, In, Out any](l Limits, carry func(ctx context.Context, key K, in []In) []Out) *Calls[K, In, Out] {
	return &Calls[K, In, Out]{limits: l, carry: carry, keys: map[K]*heat[In, Out]{}}
}

// Hot counts a call with a key, and reports whether the key is hot. Nil Calls have no hot keys.
func (c *Calls[K, In, Out]) Hot(key K) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Sub(c.swept) > time.Minute {
		c.sweep(now)
	}
	h := c.heat(key, now)
	switch passed := now.Sub(h.since); {
	case passed >= 2*time.Second:
		h.since, h.calls, h.hot = now, 0, false
	case passed >= time.Second:
		h.since, h.calls, h.hot = now, 0, h.calls >= c.limits.From
	}
	h.calls++
	return h.hot || h.calls >= c.limits.From
}

func (c *Calls[K, In, Out]) heat(key K, now time.Time) *heat[In, Out] {
	h := c.keys[key]
	if h == nil {
		h = &heat[In, Out]{since: now}
		c.keys[key] = h
	}
	return h
}

// sweep forgets keys that are cold.
func (c *Calls[K, In, Out]) sweep(now time.Time) {
	for key, h := range c.keys {
		if h.last == nil && now.Sub(h.since) >= 2*time.Second {
			delete(c.keys, key)
		}
	}
	c.swept = now
}

// patience is how long a batch waits for the one before. Two at a time are no mistake, they only
// get into each other's way.
const patience = 2 * time.Second

// errLost is the error of calls whose batch has ended without their results.
var errLost = errors.New("gather: calls were carried out without results")

// Do carries out a call together with others of its key, and returns its result.
func (c *Calls[K, In, Out]) Do(ctx context.Context, key K, in In) (out Out, err error) {
	b, place, before, first := c.join(key, in)
	if first {
		c.lead(context.WithoutCancel(ctx), key, b, before)
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return out, ctx.Err()
	}
	if b.err != nil {
		return out, b.err
	}
	return b.out[place], nil
}

// join adds a call to the open batch, or opens one. It returns the place of the call, the batch
// to wait for, and whether the call is the first of its batch.
func (c *Calls[K, In, Out]) join(key K, in In) (b *batch[In, Out], place int, before *batch[In, Out], first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.heat(key, time.Now())
	if h.open == nil {
		first, before = true, h.last
		h.open = &batch[In, Out]{full: make(chan struct{}), done: make(chan struct{})}
		h.last = h.open
	}
	b = h.open
	place = len(b.in)
	if b.in = append(b.in, in); len(b.in) == c.limits.Most {
		close(b.full)
		h.open = nil
	}
	return b, place, before, first
}

// lead carries out a batch after the one before.
func (c *Calls[K, In, Out]) lead(ctx context.Context, key K, b, before *batch[In, Out]) {
	pause := time.NewTimer(c.limits.Pause)
	select {
	case <-pause.C:
	case <-b.full:
		pause.Stop()
	}
	if before != nil && !c.limits.Beside {
		stuck := time.NewTimer(patience)
		select {
		case <-before.done:
			stuck.Stop()
		case <-stuck.C:
		}
	}
	c.mu.Lock()
	if h := c.keys[key]; h.open == b {
		h.open = nil
	}
	in := b.in
	c.mu.Unlock()
	b.err = together.Safely(func() error {
		if b.out = c.carry(ctx, key, in); len(b.out) != len(in) {
			return errLost
		}
		return nil
	})
	c.mu.Lock()
	if h := c.keys[key]; h.last == b {
		h.last = nil
	}
	c.mu.Unlock()
	close(b.done)
}
