package identity

import (
	"fmt"
	"time"

	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/refusal"
)

// Limits are the rate limits against abuse. Calls are refused for what their own client
// address has done only, since anyone can make calls about another's account: limits per
// account apply to one address, except where noted, and limits per address apply to its
// calls for all accounts. Each process counts separately.
type Limits struct {
	// SignInAttempts limits failures per account and client address since the last success.
	// SignInAccount limits failures per account from all addresses without a previous
	// successful sign-in, so that password guessing locks out strangers but not the owner
	// at a familiar address.
	SignInAttempts, SignInAccount, SignInAddress ratelimit.Limit
	// SignUpAccount is per user id and per contact. SignUpAddress also counts anonymous
	// identities.
	SignUpAccount, SignUpAddress ratelimit.Limit
	// SendAccount and SendAddress limit requests for codes, TryAccount and TryAddress
	// attempts to use them.
	SendAccount, SendAddress ratelimit.Limit
	TryAccount, TryAddress   ratelimit.Limit
	// RecipientFrom limits the messages to one contact that calls from one address cause,
	// Recipient those that calls from all addresses cause. Beyond Recipient, messages are
	// omitted: the contact has received enough, and earlier codes remain valid. Messages
	// limits the messages to all contacts.
	RecipientFrom, Recipient, Messages ratelimit.Limit
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
		TryAccount:     ratelimit.Limit{Burst: 10, Every: 90 * time.Second},
		TryAddress:     ratelimit.Limit{Burst: 60, Every: time.Second},
		RecipientFrom:  ratelimit.Limit{Burst: 5, Every: 10 * time.Minute},
		Recipient:      ratelimit.Limit{Burst: 30, Every: 4 * time.Minute},
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
// SetLimits changes the limits for calls from now on.
func (s *Issuer) SetLimits(l *Limits) { s.attempts.SetLimits(l) }

func (s *Issuer) take(key string, limit ratelimit.Limit) error { return s.attempts.take(key, limit) }

// takeMessage counts a message to a contact that a client address or user requests.
func (s *Issuer) takeMessage(to, from string) error {
	if err := s.take("message to "+to+" from "+from, s.attempts.limits.Load().RecipientFrom); err != nil {
		return err
	}
	return s.take("message", s.attempts.limits.Load().Messages)
}

// takeRecipient counts a message to a contact, regardless of who requested it.
func (s *Issuer) takeRecipient(to string) error {
	return s.take("message to "+to, s.attempts.limits.Load().Recipient)
}
