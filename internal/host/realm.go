package host

import (
	"context"
	"time"

	"stoa/internal/auth"
	"stoa/internal/identity"
)

// Realm is what a system needs that keeps accounts of its own: sessions and passwords,
// and who is behind a token of the system's.
type Realm struct {
	Sessions  *identity.Sessions
	Passwords identity.Passwords
	Tokens    *auth.Verifier
}

// Realm makes the realm of an audience, whose refresh tokens are good for some time.
// Tokens are signed by the service's keys, which are made if there are none. Versions
// tells the least version that tokens of a user must have.
func (h *Host) Realm(ctx context.Context, audience string, refresh time.Duration, versions auth.Versions) (Realm, error) {
	if h.keys == nil {
		keys, err := identity.OpenKeyring(ctx, h.Ops.Identities, h.Now, h.NewID)
		if err != nil {
			return Realm{}, err
		}
		h.keys = keys
	}
	return Realm{
		Sessions: &identity.Sessions{
			Keys: h.keys, Families: h.Ops.Identities, Audience: audience, Issuer: h.Config.Issuer.PublicURL,
			Refresh: refresh, Now: h.Now, Random: h.Random, NewID: h.NewID,
		},
		Passwords: identity.NewPasswords(h.Config.Issuer.Cost, h.Random),
		Tokens:    auth.New(auth.Config{Keys: h.keys, Audience: audience, Versions: versions, Now: h.Now}),
	}, nil
}

// TrustsAddresses reports whether every e-mail address counts as verified at once, as in
// development.
func (h *Host) TrustsAddresses() bool { return h.Config.Issuer.Mode == identity.Dev }
