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

// Allowance is how often something may happen, written BURST+1/TIME: that many times at
// once, and once more each time TIME has passed; 0 is any number of times.
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

var errNoAllowance = errors.New("is no limit: write one like 10+1/20s, for ten at once and one more every 20 seconds, or 0 for none")

// strangers are the settings of what strangers may try, with where they count.
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

// identityLimits are the limits of a mode of identity with those that were chosen.
func (s *Settings) identityLimits(mode identity.Mode) *identity.Limits {
	limits := identity.LimitsOf(mode)
	for _, l := range s.strangers(limits) {
		*l.limit = ratelimit.Limit(*l.setting)
	}
	return limits
}
