package identity

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Limit allows Burst calls at once and one more each time Every has passed.
type Limit struct {
	Burst int
	Every time.Duration
}

// Limits bound what strangers can try. An account's limits hold wherever the calls
// come from, an address's whomever they are about. They count per process.
type Limits struct {
	// SignInAccount counts failures since the last success.
	SignInAccount, SignInAddress Limit
	// SignUpAccount is per user id and contact given, so that nobody's mailbox is
	// flooded. SignUpAddress counts anonymous identities as well.
	SignUpAccount, SignUpAddress Limit
	// SendAccount and SendAddress are for codes asked for, TryAccount and
	// TryAddress for codes handed in.
	SendAccount, SendAddress Limit
	TryAccount, TryAddress   Limit
}

// LimitsOf returns the limits of a mode. In dev, one address stands for a developer
// and their test suite, so it is bounded only to keep a runaway loop visible.
func LimitsOf(mode Mode) *Limits {
	limits := &Limits{
		SignInAccount: Limit{10, 6 * time.Second},
		SignInAddress: Limit{60, time.Second},
		SignUpAccount: Limit{5, time.Minute},
		SignUpAddress: Limit{30, 10 * time.Second},
		SendAccount:   Limit{5, time.Minute},
		SendAddress:   Limit{30, 10 * time.Second},
		TryAccount:    Limit{15, 30 * time.Second},
		TryAddress:    Limit{60, time.Second},
	}
	if mode == Dev {
		machine := Limit{10_000, time.Millisecond}
		limits.SignInAddress, limits.SignUpAddress = machine, machine
		limits.SendAddress, limits.TryAddress = machine, machine
	}
	return limits
}

// Limited is the refusal of a call that came too soon.
type Limited struct {
	// RetryAfter is when the same call could pass.
	RetryAfter time.Duration
}

// Seconds is RetryAfter in whole seconds, rounded up.
func (l *Limited) Seconds() int {
	return int((l.RetryAfter + time.Second - 1) / time.Second)
}

func (l *Limited) Error() string {
	return fmt.Sprintf("Too many requests: try again in %d s", l.Seconds())
}

// rememberedBuckets bounds the memory of a limiter to about 15 MB. The bucket that
// was used longest ago is forgotten first, which is most likely a full one.
const rememberedBuckets = 1 << 16

// limiter counts calls by key. It keeps digests of keys, since callers choose how
// long these are.
type limiter struct {
	now     func() time.Time
	mu      sync.Mutex
	buckets *lru.Cache[[sha256.Size]byte, *rate.Limiter]
}

func newLimiter(now func() time.Time) *limiter {
	buckets, err := lru.New[[sha256.Size]byte, *rate.Limiter](rememberedBuckets)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &limiter{now: now, buckets: buckets}
}

// take counts a call under key, or refuses it with a *Limited and counts nothing.
func (l *limiter) take(key string, limit Limit) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	digest := sha256.Sum256([]byte(key))
	bucket, ok := l.buckets.Get(digest)
	if !ok {
		bucket = rate.NewLimiter(rate.Every(limit.Every), limit.Burst)
		l.buckets.Add(digest, bucket)
	}
	now := l.now()
	call := bucket.ReserveN(now, 1)
	if wait := call.DelayFrom(now); wait > 0 {
		call.CancelAt(now)
		return &Limited{RetryAfter: wait}
	}
	return nil
}

// forget lets the calls under key start anew.
func (l *limiter) forget(key string) { l.buckets.Remove(sha256.Sum256([]byte(key))) }
