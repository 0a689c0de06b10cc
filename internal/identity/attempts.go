package identity

import (
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/kit/ratelimit"
)

// Attempts limits attempts by unauthenticated callers: it slows down password guessing and
// repeated sign-ups. Each process counts separately. It is safe for concurrent use.
type Attempts struct {
	limits atomic.Pointer[Limits]
	counts *ratelimit.Limiter
	// familiar holds client addresses with a successful sign-in or a correct code, per
	// account.
	familiar *lru.Cache[string, struct{}]
}

// rememberedAddresses limits the size of familiar to a few megabytes.
const rememberedAddresses = 1 << 14

// NewAttempts returns an Attempts with the given limits.
func NewAttempts(limits *Limits, now func() time.Time) *Attempts {
	familiar, err := lru.New[string, struct{}](rememberedAddresses)
	if err != nil {
		panic(err) // only fails for sizes below one
	}
	a := &Attempts{counts: ratelimit.New(now), familiar: familiar}
	a.SetLimits(limits)
	return a
}

// SetLimits changes the limits, which must not be modified afterwards.
func (a *Attempts) SetLimits(limits *Limits) { a.limits.Store(limits) }

// SignIn counts an attempt of an address to sign in to an account as a failure until
// succeeded is called, or refuses it with a *Limited. Unknown accounts are counted by name.
func (a *Attempts) SignIn(account, address string) (succeeded func(), err error) {
	if err := a.signInFrom(address); err != nil {
		return nil, err
	}
	return a.signInTo(account, address)
}

// SignUp counts an attempt of an address to sign up, or refuses it with a *Limited.
func (a *Attempts) SignUp(address string) error {
	return a.take("sign-up from "+address, a.limits.Load().SignUpAddress)
}

func (a *Attempts) signInFrom(address string) error {
	return a.take("sign-in from "+address, a.limits.Load().SignInAddress)
}

func (a *Attempts) signInTo(account, address string) (succeeded func(), err error) {
	if err := a.take(signInPair(account, address), a.limits.Load().SignInAttempts); err != nil {
		return nil, err
	}
	if !a.trusts(account, address) {
		if err := a.take("sign-in of "+account, a.limits.Load().SignInAccount); err != nil {
			return nil, err
		}
	}
	return func() { a.trust(account, address) }, nil
}

// trust makes an address familiar to an account, whose owner has used it, and resets its
// failures.
func (a *Attempts) trust(account, address string) {
	pair := signInPair(account, address)
	a.counts.Forget(pair)
	a.familiar.Add(pair, struct{}{})
}

// trusts reports whether an address is familiar to an account.
func (a *Attempts) trusts(account, address string) bool {
	return a.familiar.Contains(signInPair(account, address))
}

func signInPair(account, address string) string { return "sign-in of " + account + " from " + address }

// take counts a call under key, or refuses it with a *Limited.
func (a *Attempts) take(key string, limit ratelimit.Limit) error {
	if wait := a.counts.Take(key, limit); wait > 0 {
		return &Limited{RetryAfter: wait}
	}
	return nil
}
