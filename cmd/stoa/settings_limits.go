package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/ratelimit"
)

// Allowance is a rate limit in the form BURST+1/TIME: BURST times at once, and once more
// after each TIME; 0 means unlimited.
type Allowance ratelimit.Limit

func (a Allowance) MarshalText() ([]byte, error) {
	if a == (Allowance{}) {
		return []byte("0"), nil
	}
	return fmt.Appendf(nil, "%d+1/%v", a.Burst, a.Every), nil
}

var allowanceForm = regexp.MustCompile(`^([1-9]\d{0,5})\+1/(\S+)$`)

func (a *Allowance) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*a = Allowance{}
		return nil
	}
	parts := allowanceForm.FindSubmatch(text)
	if parts == nil {
		return errNoAllowance
	}
	burst, err := strconv.Atoi(string(parts[1]))
	every, err2 := time.ParseDuration(string(parts[2]))
	if err != nil || err2 != nil || every <= 0 {
		return errNoAllowance
	}
	*a = Allowance{Burst: burst, Every: every}
	return nil
}

var errNoAllowance = errors.New("is not a limit: write one like 10+1/20s, for ten at once and one more every 20 seconds, or 0 for none")

// strangers returns the settings for limits of unauthenticated callers, with their targets.
func (s *Settings) strangers(l *identity.Limits) map[string]struct {
	setting *Allowance
	limit   *ratelimit.Limit
} {
	return map[string]struct {
		setting *Allowance
		limit   *ratelimit.Limit
	}{
		"sign-in-account-limit": {&s.SignInAccount, &l.SignInAttempts},
		"sign-in-address-limit": {&s.SignInAddress, &l.SignInAddress},
		"sign-up-account-limit": {&s.SignUpAccount, &l.SignUpAccount},
		"sign-up-address-limit": {&s.SignUpAddress, &l.SignUpAddress},
		"code-account-limit":    {&s.CodeAccount, &l.SendAccount},
		"code-address-limit":    {&s.CodeAddress, &l.SendAddress},
	}
}

// identityLimits returns the limits of an identity mode, as changed by settings.
func (s *Settings) identityLimits(mode identity.Mode) *identity.Limits {
	limits := identity.LimitsOf(mode)
	for _, l := range s.strangers(limits) {
		*l.limit = ratelimit.Limit(*l.setting)
	}
	return limits
}
