package auth

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// signatures are the accepted algorithms, all of them asymmetric. With a symmetric one,
// anybody who knows a public key could sign tokens.
var signatures = []jose.SignatureAlgorithm{jose.ES256, jose.EdDSA, jose.RS256}

// clockSkew is how far an issuer's clock may be ahead of the local one.
const clockSkew = time.Minute

// identity is the content of a verified token.
type identity struct {
	user    viewer.UserID
	expires time.Time
	// version is 0 if absent.
	version int
	// anonymous is set if nothing is known of the bearer by which they could be found again.
	anonymous bool
	// email and phone are empty unless the issuer has verified them.
	email, phone string
	// name is what the issuer calls the bearer, or empty.
	name string
}

func (i identity) expired(now time.Time) bool { return !now.Before(i.expires) }

// claims are the evaluated claims of a token.
type claims struct {
	jwt.Claims
	ClientID      string `json:"client_id"`
	Version       int    `json:"token_version"`
	Anonymous     bool   `json:"anonymous"`
	Email         string `json:"email"`
	EmailVerified truth  `json:"email_verified"`
	Phone         string `json:"phone_number"`
	PhoneVerified truth  `json:"phone_number_verified"`
	// Name is not evaluated otherwise, so that no token is refused for its form.
	Name any `json:"name"`
}

// truth is a boolean that may be encoded as "true": some issuers write flags as strings.
type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	*t = string(b) == `true` || string(b) == `"true"`
	return nil
}

// verify checks all properties of a token. Expiry is checked before the signature, because
// the error requests a refresh rather than a new sign-in, even long after the key has been
// removed.
func (v *Verifier) verify(ctx context.Context, token string, now time.Time) (identity, error) {
	parsed, err := jwt.ParseSigned(token, signatures)
	if algorithm := (*jose.ErrUnexpectedSignatureAlgorithm)(nil); errors.As(err, &algorithm) {
		return identity{}, errUntrusted
	}
	if err != nil {
		return identity{}, errMalformed
	}
	var c claims
	if err := parsed.UnsafeClaimsWithoutVerification(&c); err != nil {
		return identity{}, errMalformed
	}
	if c.Expiry == nil {
		return identity{}, errUntrusted
	}
	who := c.identity()
	if who.expired(now) {
		return identity{}, errExpired
	}
	key, err := v.keys.Find(ctx, parsed.Headers[0].KeyID)
	if err != nil {
		return identity{}, err
	}
	if key == nil || parsed.Claims(key, &json.RawMessage{}) != nil || !v.accepts(c, now) {
		return identity{}, errUntrusted
	}
	if !v.addressed(c) {
		return identity{}, v.errMisplaced()
	}
	return who, nil
}

// addressed reports whether a token is for the audience of the verifier.
func (v *Verifier) addressed(c claims) bool {
	audience := v.config.Audience
	return audience == "" || c.Audience.Contains(audience) || c.ClientID == audience
}

func (v *Verifier) errMisplaced() error {
	if v.config.Misplaced == "" {
		return errUntrusted
	}
	return &refusal.Error{Kind: refusal.Forbidden, Text: v.config.Misplaced}
}

// accepts checks the claims of a token with a valid signature, except its audience.
func (v *Verifier) accepts(c claims, now time.Time) bool {
	issuer := v.config.Issuer
	switch {
	case issuer != "" && c.Issuer != issuer:
		return false
	case c.NotBefore != nil && now.Add(clockSkew).Before(c.NotBefore.Time()):
		return false
	}
	return viewer.UserID(c.Subject).Possible()
}

func (c claims) identity() identity {
	who := identity{user: viewer.UserID(c.Subject), expires: c.Expiry.Time(), version: c.Version, anonymous: c.Anonymous}
	who.name, _ = c.Name.(string)
	if c.EmailVerified {
		who.email = c.Email
	}
	if c.PhoneVerified {
		who.phone = c.Phone
	}
	return who
}
