// Package ratelimit limits the rate of calls by key.
//
// Each process counts separately. Memory is limited to about 15 MB, whatever keys callers
// use: the least recently used bucket, which is most likely full, is evicted first.
package ratelimit

import (
	"hash/maphash"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Limit allows Burst calls at once and one more after each period of Every. The zero Limit
// allows everything.
type Limit struct {
	Burst int
	Every time.Duration
}

const remembered = 1 << 16

// Limiter counts calls by key. It is safe for concurrent use.
type Limiter struct {
	now  func() time.Time
	seed maphash.Seed

	mu      sync.Mutex
	buckets *lru.Cache[uint64, bucket]
}

// bucket counts the calls of a key, within limit.
type bucket struct {
	limit Limit
	*rate.Limiter
}

// New returns a Limiter.
func New(now func() time.Time) *Limiter {
	buckets, err := lru.New[uint64, bucket](remembered)
	if err != nil {
		panic(err) // only fails for sizes below one
	}
	return &Limiter{now: now, seed: maphash.MakeSeed(), buckets: buckets}
}

// Take counts a call under key, or returns how long the caller must wait, without counting
// it. A key begins anew when it is used with another limit.
func (l *Limiter) Take(key string, limit Limit) (wait time.Duration) {
	if limit == (Limit{}) {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	call := l.bucket(key, limit).ReserveN(now, 1)
	if wait = call.DelayFrom(now); wait > 0 {
		call.CancelAt(now)
	}
	return wait
}

// Wait returns how long the caller must wait before the next call, without counting one.
func (l *Limiter) Wait(key string, limit Limit) time.Duration {
	if limit == (Limit{}) {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	call := l.bucket(key, limit).ReserveN(now, 1)
	defer call.CancelAt(now)
	return call.DelayFrom(now)
}

// Spend counts more calls under key, however many are allowed: the caller has to wait for
// them before the next one. Beyond limit.Burst they do not count.
func (l *Limiter) Spend(key string, limit Limit, calls int) {
	if limit == (Limit{}) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bucket(key, limit).ReserveN(l.now(), min(calls, limit.Burst))
}

// Return takes back a call under key that turned out not to count.
func (l *Limiter) Return(key string, limit Limit) {
	if limit == (Limit{}) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bucket(key, limit).ReserveN(l.now(), -1) // which never leaves more than the burst
}

// bucket returns the bucket of key. The caller must hold mu.
func (l *Limiter) bucket(key string, limit Limit) *rate.Limiter {
	digest := maphash.String(l.seed, key)
	b, ok := l.buckets.Get(digest)
	if !ok || b.limit != limit {
		b = bucket{limit, rate.NewLimiter(rate.Every(limit.Every), limit.Burst)}
		l.buckets.Add(digest, b)
	}
	return b.Limiter
}

// Forget resets the calls under key.
func (l *Limiter) Forget(key string) { l.buckets.Remove(maphash.String(l.seed, key)) }

// Seconds returns a wait in whole seconds, rounded up, as required by Retry-After.
func Seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
