package host

import (
	"context"
	"time"

	"stoa/internal/auth"
	"stoa/internal/identity"
)

// Realm is what a system with accounts of its own needs: sessions, passwords and
// authentication.
type Realm struct {
	Sessions  *identity.Sessions
	Passwords identity.Passwords
	Tokens    *auth.Verifier
	// Attempts counts sign-ins and sign-ups, within the limits of the service's own identity.
	Attempts *identity.Attempts
	// HashPrice is the price of a mutation that hashes a password for anyone who asks, of
	// which a request may have one. In development it is 0: a test signs several people up.
	HashPrice int
}

// hashPrice is more than half of what an anonymous operation may cost.
const hashPrice = 8000

// Realm returns the realm of an audience with the given lifetime of refresh tokens. Tokens
// are signed by the service's keys. Versions returns the lowest token version that is still
// valid for a user.
func (h *Host) Realm(ctx context.Context, audience string, refresh time.Duration, versions auth.Versions) (Realm, error) {
	if err := h.openKeys(ctx); err != nil {
		return Realm{}, err
	}
	r := Realm{
		Sessions: &identity.Sessions{
			Keys: h.keys, Families: h.Ops.Identities, Audience: audience, Issuer: h.Config.Issuer.PublicURL,
			Refresh: refresh, Now: h.Now, Random: h.Random, NewID: h.NewID, MaySignIn: h.MaySignIn,
		},
		Passwords: identity.NewPasswords(h.Config.Issuer.Cost, h.Random),
		Attempts:  h.attempts(),
		Tokens:    auth.New(auth.Config{Keys: h.keys, Audience: audience, Misplaced: misplaced(audience), Versions: versions, Now: h.Now}),
	}
	h.forget = append(h.forget, r.Tokens.Forget)
	if !h.TrustsAddresses() {
		r.HashPrice = hashPrice
	}
	return r, nil
}

// misplaced is the answer to a token of /auth, or of another system.
func misplaced(system string) string {
	return "The system " + system + " has accounts of its own, and this token is of another: sign in with its mutation login."
}

// TrustsAddresses reports whether e-mail addresses count as verified without a code, as in
// development.
func (h *Host) TrustsAddresses() bool { return h.Config.Issuer.Mode == identity.Dev }

// attempts returns what counts attempts within the limits of the host, also after SetLimits.
func (h *Host) attempts() *identity.Attempts {
	a := identity.NewAttempts(h.limits(), h.Now)
	h.counted = append(h.counted, a)
	return a
}

// SetLimits replaces the limits of sign-ins, sign-ups and codes.
func (h *Host) SetLimits(l *identity.Limits) {
	if h.Issuer != nil {
		h.Issuer.SetLimits(l)
	}
	for _, a := range h.counted {
		a.SetLimits(l)
	}
}

// limits are those of strangers. An external provider has limits of its own, but systems
// with their own accounts need some.
func (h *Host) limits() *identity.Limits {
	if c := h.Config.Issuer; c.Limits != nil {
		return c.Limits
	} else if h.External == nil {
		return identity.LimitsOf(c.Mode)
	}
	return identity.LimitsOf(identity.Local)
}
