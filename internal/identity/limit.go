package identity

import (
	"fmt"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
)

// Limits bound what strangers can try. An account's limits hold wherever the calls
// come from, an address's whomever they are about. They count per process.
type Limits struct {
	// SignInAttempts counts failures of one address at one account since the last
	// success. SignInAccount counts those of all addresses from which nobody has signed
	// in to the account yet: so strangers who guess lock themselves out first, and never
	// the owner where they have been before.
	SignInAttempts, SignInAccount, SignInAddress ratelimit.Limit
	// SignUpAccount is per user id and contact given, so that nobody's mailbox is
	// flooded. SignUpAddress counts anonymous identities as well.
	SignUpAccount, SignUpAddress ratelimit.Limit
	// SendAccount and SendAddress are for codes asked for, TryAccount and
	// TryAddress for codes handed in.
	SendAccount, SendAddress ratelimit.Limit
	TryAccount, TryAddress   ratelimit.Limit
	// Recipient is for messages to one contact, Messages for all there are.
	Recipient, Messages ratelimit.Limit
	// SideAPI is for all of its callers together.
	SideAPI ratelimit.Limit
}

// LimitsOf returns the limits of a mode. In dev there are none: one address stands for a
// developer and their test suite.
func LimitsOf(mode Mode) *Limits {
	if mode == Dev {
		return &Limits{}
	}
	return &Limits{
		SignInAttempts: ratelimit.Limit{Burst: 10, Every: 20 * time.Second},
		SignInAccount:  ratelimit.Limit{Burst: 100, Every: 10 * time.Second},
		SignInAddress:  ratelimit.Limit{Burst: 60, Every: time.Second},
		SignUpAccount:  ratelimit.Limit{Burst: 5, Every: time.Minute},
		SignUpAddress:  ratelimit.Limit{Burst: 30, Every: 10 * time.Second},
		SendAccount:    ratelimit.Limit{Burst: 5, Every: time.Minute},
		SendAddress:    ratelimit.Limit{Burst: 30, Every: 10 * time.Second},
		TryAccount:     ratelimit.Limit{Burst: 15, Every: 30 * time.Second},
		TryAddress:     ratelimit.Limit{Burst: 60, Every: time.Second},
		Recipient:      ratelimit.Limit{Burst: 5, Every: 10 * time.Minute},
		Messages:       ratelimit.Limit{Burst: 300, Every: 200 * time.Millisecond},
		SideAPI:        ratelimit.Limit{Burst: 200, Every: 10 * time.Millisecond},
	}
}

// Limited is the refusal of a call that came too soon.
type Limited struct {
	// RetryAfter is when the same call could pass.
	RetryAfter time.Duration
}

// Seconds is RetryAfter in whole seconds, rounded up.
func (l *Limited) Seconds() int { return ratelimit.Seconds(l.RetryAfter) }

// Unwrap makes it a refusal, for callers that know no status 429.
func (l *Limited) Unwrap() error { return refusal.Invalidf("%s", l.Error()) }

func (l *Limited) Error() string {
	return fmt.Sprintf("Too many requests: try again in %d s", l.Seconds())
}

// take counts a call under key, or refuses it with a *Limited.
func (s *Issuer) take(key string, limit ratelimit.Limit) error {
	if wait := s.limits.Take(key, limit); wait > 0 {
		return &Limited{RetryAfter: wait}
	}
	return nil
}

// takeMessage counts a message to a contact, regardless of who requested it.
func (s *Issuer) takeMessage(to string) error {
	if err := s.take("message to "+to, s.Limits.Recipient); err != nil {
		return err
	}
	return s.take("message", s.Limits.Messages)
}
