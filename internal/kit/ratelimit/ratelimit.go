// Package ratelimit bounds how often something may happen, by key.
//
// It counts per process. What it remembers takes at most some 15 MB, however many keys
// callers make up: the bucket used longest ago is forgotten first, which is most likely a
// full one.
package ratelimit

import (
	"hash/maphash"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Limit allows Burst calls at once and one more each time Every has passed. The zero
// Limit allows everything.
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
	buckets *lru.Cache[uint64, *rate.Limiter]
}

// New returns a Limiter.
func New(now func() time.Time) *Limiter {
	buckets, err := lru.New[uint64, *rate.Limiter](remembered)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &Limiter{now: now, seed: maphash.MakeSeed(), buckets: buckets}
}

// Take counts a call under key, or counts nothing and returns how long the caller has to
// wait for it. A key must always come with the same limit.
func (l *Limiter) Take(key string, limit Limit) (wait time.Duration) {
	if limit == (Limit{}) {
		return 0
	}
	digest := maphash.String(l.seed, key)
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, ok := l.buckets.Get(digest)
	if !ok {
		bucket = rate.NewLimiter(rate.Every(limit.Every), limit.Burst)
		l.buckets.Add(digest, bucket)
	}
	now := l.now()
	call := bucket.ReserveN(now, 1)
	if wait = call.DelayFrom(now); wait > 0 {
		call.CancelAt(now)
	}
	return wait
}

// Forget lets the calls under key start anew.
func (l *Limiter) Forget(key string) { l.buckets.Remove(maphash.String(l.seed, key)) }

// Seconds is a wait in whole seconds, rounded up, as Retry-After wants it.
func Seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }
