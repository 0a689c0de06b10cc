package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/uuid"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Families keeps the chains of refresh tokens; see Store for its methods.
type Families interface {
	TokenFamily(ctx context.Context, id string) (f TokenFamily, found bool, err error)
	AddTokenFamily(ctx context.Context, f TokenFamily) error
	RotateTokenFamily(ctx context.Context, before, after TokenFamily) error
	RemoveTokenFamily(ctx context.Context, id string) error
}

// Sessions issues tokens to the users of a system that keeps accounts of its own. They
// are signed by the service's keys for the system's audience, so that no other system
// takes them. Its fields are set once.
type Sessions struct {
	Keys     *Keyring
	Families Families
	// Audience is the `aud`, Issuer the `iss` of tokens.
	Audience, Issuer string
	// Refresh is how long a refresh token is good. Access tokens are for an hour.
	Refresh time.Duration
	Now     func() time.Time
	Random  io.Reader
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
}

// Session is what a sign-in yields.
type Session struct {
	UserID       viewer.UserID
	AccessToken  string
	RefreshToken string
	// ExpiresAt is when the access token ends.
	ExpiresAt time.Time
}

// ErrRefresh refuses a refresh token that is unknown, has expired, was used before, or
// is of a user whom nobody vouches for any more.
var ErrRefresh = refusal.New(refusal.Unauthenticated, "", "The refresh token is not good: sign in again")

// Begin starts a family of refresh tokens for a user whose tokens are of a version.
func (s *Sessions) Begin(ctx context.Context, id viewer.UserID, version int) (Session, error) {
	family := TokenFamily{FamilyID: s.NewID(), UserID: id, TokenVersion: version}
	token, err := s.renew(&family)
	if err != nil {
		return Session{}, err
	}
	if err := s.Families.AddTokenFamily(ctx, family); err != nil {
		return Session{}, err
	}
	return s.mint(ctx, family, token)
}

// Continue trades a refresh token for new tokens. Vouch returns the version that tokens
// of a user must have, and false for somebody who may not sign in. A token that was
// traded before is in two hands: its family ends. Families of other systems are left
// alone.
func (s *Sessions) Continue(ctx context.Context, token string, vouch func(ctx context.Context, id viewer.UserID) (version int, ok bool, err error)) (Session, error) {
	id, secret, _ := strings.Cut(token, ".")
	if parsed, err := uuid.Parse(id); err != nil || parsed.String() != id {
		return Session{}, ErrRefresh
	}
	family, found, err := s.Families.TokenFamily(ctx, id)
	if err != nil {
		return Session{}, err
	}
	if !found {
		return Session{}, ErrRefresh
	}
	version, ok, err := vouch(ctx, family.UserID)
	switch {
	case err != nil:
		return Session{}, err
	case !ok:
		return Session{}, ErrRefresh
	case subtle.ConstantTimeCompare([]byte(family.Digest), []byte(digest(secret))) != 1,
		!s.now().Before(family.ExpiresAt), version != family.TokenVersion:
		return Session{}, s.end(ctx, family)
	}
	next := family
	if token, err = s.renew(&next); err != nil {
		return Session{}, err
	}
	err = s.Families.RotateTokenFamily(ctx, family, next)
	if refusal.KindOf(err) == refusal.Conflict {
		return Session{}, s.end(ctx, family) // traded a moment ago
	}
	if err != nil {
		return Session{}, err
	}
	return s.mint(ctx, next, token)
}

func (s *Sessions) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

func (s *Sessions) end(ctx context.Context, f TokenFamily) error {
	if err := s.Families.RemoveTokenFamily(ctx, f.FamilyID); err != nil {
		return err
	}
	return ErrRefresh
}

// renew gives a family its next token: the family's id, which finds it, and a secret of
// 256 bits.
func (s *Sessions) renew(f *TokenFamily) (string, error) {
	secret := make([]byte, 32)
	if _, err := io.ReadFull(s.Random, secret); err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(secret)
	f.Digest, f.ExpiresAt = digest(text), s.now().Add(s.Refresh)
	return f.FamilyID + "." + text, nil
}

func (s *Sessions) mint(ctx context.Context, f TokenFamily, refreshToken string) (Session, error) {
	access, expires, err := s.Token(ctx, f.UserID, Grant{Version: f.TokenVersion, Life: tokenLife})
	return Session{UserID: f.UserID, AccessToken: access, RefreshToken: refreshToken, ExpiresAt: expires}, err
}

// Grant says what a token is good for.
type Grant struct {
	// Version is that of the user's tokens, and Level how the user has signed in; 0 is left
	// out.
	Version, Level int
	// Life is how long the token is good.
	Life time.Duration
}

// Token makes an access token of a user that stands alone, for systems without refresh
// tokens.
func (s *Sessions) Token(ctx context.Context, id viewer.UserID, g Grant) (token string, expires time.Time, err error) {
	ring, err := s.Keys.current(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	now := s.now()
	expires = now.Add(g.Life).Truncate(time.Second)
	token, err = jwt.Signed(ring[len(ring)-1].signer).Claims(claims{
		Claims: jwt.Claims{
			Issuer:   s.Issuer,
			Subject:  string(id),
			Audience: jwt.Audience{s.Audience},
			IssuedAt: jwt.NewNumericDate(now),
			Expiry:   jwt.NewNumericDate(expires),
			ID:       s.NewID(),
		},
		TokenUse:     "access",
		TokenVersion: g.Version,
		Level:        g.Level,
	}).Serialize()
	return token, expires, err
}

// Passwords hashes passwords with argon2id, no more at a time than there are cores.
type Passwords struct{ h *hasher }

// NewPasswords returns Passwords of a cost.
func NewPasswords(cost Cost, random io.Reader) Passwords { return Passwords{newHasher(cost, random)} }

// Hash returns what is stored of a password.
func (p Passwords) Hash(ctx context.Context, password string) (string, error) {
	return p.h.hash(ctx, password)
}

// Matches reports whether password is the one that was hashed. An empty hash matches
// nothing and takes as long as any other to say so.
func (p Passwords) Matches(ctx context.Context, hash, password string) (bool, error) {
	return p.h.matches(ctx, hash, password)
}
