package identity

import (
	"fmt"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
)

// Limits are the rate limits against abuse. Limits per account apply to calls from all
// addresses; limits per address apply to calls for all accounts. Each process counts
// separately.
type Limits struct {
	// SignInAttempts limits failures per account and client address since the last success.
	// SignInAccount limits failures per account from all addresses without a previous
	// successful sign-in, so that password guessing locks out strangers but not the owner
	// at a familiar address.
	SignInAttempts, SignInAccount, SignInAddress ratelimit.Limit
	// SignUpAccount is per user id and per contact, to protect mailboxes from flooding.
	// SignUpAddress also counts anonymous identities.
	SignUpAccount, SignUpAddress ratelimit.Limit
	// SendAccount and SendAddress limit requests for codes, TryAccount and TryAddress
	// attempts to use them.
	SendAccount, SendAddress ratelimit.Limit
	TryAccount, TryAddress   ratelimit.Limit
	// Recipient limits the messages to one contact, Messages those to all contacts.
	Recipient, Messages ratelimit.Limit
	// SideAPI limits all callers of the side API together.
	SideAPI ratelimit.Limit
}

// LimitsOf returns the limits of a mode. In dev there are none, since a developer and their
// tests share one address.
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

// Limited is the error of a call that exceeds a rate limit.
type Limited struct {
	// RetryAfter is the time until the call may be repeated.
	RetryAfter time.Duration
}

// Seconds is RetryAfter in whole seconds, rounded up.
func (l *Limited) Seconds() int { return ratelimit.Seconds(l.RetryAfter) }

// Unwrap makes it a refusal, for callers that know no status 429.
func (l *Limited) Unwrap() error {
	return &refusal.Error{Kind: refusal.Invalid, Text: l.Error(), Code: "RATE_LIMITED"}
}

func (l *Limited) Error() string {
	return fmt.Sprintf("Too many requests: try again in %d s", l.Seconds())
}

// take counts a call under key, or refuses it with a *Limited.
func (s *Issuer) take(key string, limit ratelimit.Limit) error { return s.attempts.take(key, limit) }

// takeMessage counts a message to a contact, regardless of who requested it.
func (s *Issuer) takeMessage(to string) error {
	if err := s.take("message to "+to, s.Limits.Recipient); err != nil {
		return err
	}
	return s.take("message", s.Limits.Messages)
}
