package provider

import (
	"context"
	"crypto"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"stoa/internal/auth/jwks"
	"stoa/internal/kit/refusal"
)

// idTokens verifies the id tokens of an OpenID Connect provider. Nonces are not checked,
// since the API does not transmit them; a token can be used until it expires.
type idTokens struct {
	provider string
	// name is the prefix of the provider's error texts.
	name string
	// issuers are the accepted values of `iss`.
	issuers []string
	clients []string
	keys    *jwks.Cache
	now     func() time.Time
	// closed refuses all tokens; nil if some are accepted.
	closed error
	// noKey and wrongAudience return errors whose texts depend on the provider.
	noKey         func(h header) error
	wrongAudience func(audience string) error
}

func newApple(c Config) *idTokens {
	issuer := c.AppleIssuer
	var closed error
	if len(c.AppleClients) == 0 {
		closed = refusal.Invalidf("Apple logins are not accepted here: the setting apple-clients is not set")
	}
	return &idTokens{
		closed:   closed,
		provider: "apple", name: "Apple id token", issuers: []string{issuer}, clients: c.AppleClients, now: c.Now,
		keys: jwks.NewCache(jwks.Discovered{Client: c.Client, Issuer: issuer}, c.Now),
		noKey: func(h header) error {
			return refusal.Invalidf("No Apple public key with kid `%s` and alg `%s` found", h.KeyID, h.Algorithm)
		},
		wrongAudience: func(audience string) error {
			return refusal.Invalidf("Apple id token has wrong audience: `%s`", audience)
		},
	}
}

func newGoogle(c Config) *idTokens {
	issuer := c.GoogleIssuer
	_, host, _ := strings.Cut(issuer, "://")
	return &idTokens{
		// Google issues tokens under both names.
		provider: "google", name: "Google token", issuers: []string{issuer, host}, clients: c.GoogleClients, now: c.Now,
		keys: jwks.NewCache(jwks.Discovered{Client: c.Client, Issuer: issuer}, c.Now),
		noKey: func(h header) error {
			return refusal.Invalidf("Google token has no known key: `%s` with `%s`", h.KeyID, h.Algorithm)
		},
		wrongAudience: func(audience string) error {
			return refusal.Invalidf("Google token wrong audience: `%s`", audience)
		},
	}
}

// signatures are the algorithms used by the providers.
var signatures = []jose.SignatureAlgorithm{jose.RS256, jose.ES256}

// clockSkew is how far a provider's clock may be ahead of the local one.
const clockSkew = time.Minute

// header is the part of a token that determines its key.
type header struct {
	KeyID     string `json:"kid"`
	Algorithm string `json:"alg"`
}

type claims struct {
	jwt.Claims
	Email         string `json:"email"`
	EmailVerified truth  `json:"email_verified"`
}

// truth is a boolean that may be encoded as "true": Apple writes flags as strings.
type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	*t = string(b) == `true` || string(b) == `"true"`
	return nil
}

// Verify checks an id token.
func (p *idTokens) Verify(ctx context.Context, token string) (Login, error) {
	if p.closed != nil {
		return Login{}, p.closed
	}
	h, ok := headerOf(token)
	if !ok {
		return Login{}, p.refuse("is not a token")
	}
	if !slices.Contains(signatures, jose.SignatureAlgorithm(h.Algorithm)) {
		return Login{}, p.noKey(h)
	}
	parsed, err := jwt.ParseSigned(token, signatures)
	if err != nil {
		return Login{}, p.refuse("is not a token")
	}
	key, err := p.keys.Find(ctx, h.KeyID)
	if err != nil {
		return Login{}, err
	}
	if key == nil {
		return Login{}, p.noKey(h)
	}
	return p.login(parsed, key)
}

// login verifies a token with its key.
func (p *idTokens) login(token *jwt.JSONWebToken, key crypto.PublicKey) (Login, error) {
	var c claims
	if err := token.Claims(key, &c); err != nil {
		return Login{}, p.refuse("has a wrong signature")
	}
	now := p.now()
	switch {
	case !slices.Contains(p.issuers, c.Issuer):
		return Login{}, p.refuse("is of another issuer")
	case c.Expiry == nil || !now.Before(c.Expiry.Time()):
		return Login{}, p.refuse("has expired")
	case c.NotBefore != nil && now.Add(clockSkew).Before(c.NotBefore.Time()),
		c.IssuedAt != nil && now.Add(clockSkew).Before(c.IssuedAt.Time()):
		return Login{}, p.refuse("is not valid yet")
	case !slices.ContainsFunc(p.clients, c.Audience.Contains):
		return Login{}, p.wrongAudience(strings.Join(c.Audience, " "))
	case c.Email == "" || !bool(c.EmailVerified):
		return Login{}, p.refuse("does not contain verified email")
	case c.Subject == "":
		return Login{}, p.refuse("names nobody")
	}
	return Login{Provider: p.provider, Subject: c.Subject, Email: strings.ToLower(c.Email)}, nil
}

func (p *idTokens) refuse(fault string) error { return refusal.Invalidf("%s %s", p.name, fault) }

// headerOf returns the header of a token that may be otherwise invalid.
func headerOf(token string) (h header, ok bool) {
	first, rest, cut := strings.Cut(token, ".")
	if !cut || strings.Count(rest, ".") != 1 || len(token) > maxToken {
		return h, false
	}
	text, err := base64.RawURLEncoding.DecodeString(first)
	return h, err == nil && json.Unmarshal(text, &h) == nil
}
