package main

import (
	"context"
	"math"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"stoa/social"
)

// rememberedViewers bounds the memory of a rate limiter to some megabytes. The
// viewer seen longest ago is forgotten first, whose bucket is full again by then.
const rememberedViewers = 1 << 16

// burstSeconds is how many seconds' worth of operations a viewer may start at once:
// an app that opens asks for a screenful.
const burstSeconds = 2

// rateLimit bounds the operations of each viewer, per process.
type rateLimit struct {
	perSecond float64
	now       func() time.Time
	mu        sync.Mutex
	buckets   *lru.Cache[social.UserID, *rate.Limiter]
}

// newRateLimit allows perSecond operations a second; it must be positive.
func newRateLimit(perSecond float64, now func() time.Time) *rateLimit {
	buckets, err := lru.New[social.UserID, *rate.Limiter](rememberedViewers)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &rateLimit{perSecond: perSecond, now: now, buckets: buckets}
}

// admit counts an operation of v, or returns how long v has to wait for it.
func (l *rateLimit) admit(_ context.Context, v social.Viewer) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, ok := l.buckets.Get(v.UserID)
	if !ok {
		bucket = rate.NewLimiter(rate.Limit(l.perSecond), int(math.Ceil(l.perSecond*burstSeconds)))
		l.buckets.Add(v.UserID, bucket)
	}
	now := l.now()
	operation := bucket.ReserveN(now, 1)
	if wait = operation.DelayFrom(now); wait > 0 {
		operation.CancelAt(now)
	}
	return wait
}
