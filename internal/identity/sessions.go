package identity

import (
	"context"
	"io"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Sessions issues tokens for a system that manages its own accounts. They are signed with
// the service's keys for the system's audience, so that no other system accepts them. Its
// fields are set once.
type Sessions struct {
	Keys     *Keyring
	Families Families
	// Audience is the `aud`, Issuer the `iss` of tokens.
	Audience, Issuer string
	// Refresh is the lifetime of a refresh token. Access tokens are valid for an hour.
	Refresh time.Duration
	Now     func() time.Time
	Random  io.Reader
	// NewID returns a new version 4 UUID in lower case.
	NewID func() string
	// MaySignIn refuses people who are kept out, with an error for them. It may be nil.
	MaySignIn func(ctx context.Context, id viewer.UserID) error
}

// Session is the result of a sign-in.
type Session struct {
	UserID       viewer.UserID
	AccessToken  string
	RefreshToken string
	// ExpiresAt is when the access token expires.
	ExpiresAt time.Time
}

// ErrRefresh is returned for refresh tokens that are unknown, expired or already used, or
// whose user may no longer sign in.
var ErrRefresh = refusal.New(refusal.Unauthenticated, "", "The refresh token is not good: sign in again")

func (s *Sessions) families() families {
	return families{s.Families, s.Refresh, s.now, s.Random}
}

// Begin starts a token family for a user whose tokens have the given version.
func (s *Sessions) Begin(ctx context.Context, id viewer.UserID, version int) (Session, error) {
	if err := s.maySignIn(ctx, id); err != nil {
		return Session{}, err
	}
	family := TokenFamily{FamilyID: s.NewID(), UserID: id, TokenVersion: version}
	token, err := s.families().begin(ctx, family)
	if err != nil {
		return Session{}, err
	}
	return s.mint(ctx, family, token)
}

// Continue exchanges a refresh token for new tokens. Vouch returns the current version of a
// user's tokens, and false if the user may not sign in. If the token was exchanged before,
// it has been stolen and its family is revoked. Families of other systems are ignored.
func (s *Sessions) Continue(
	ctx context.Context,
	token string,
	vouch func(ctx context.Context, id viewer.UserID) (version int, ok bool, err error),
) (Session, error) {
	family, next, ok, err := s.families().exchange(ctx, token, func(ctx context.Context, id viewer.UserID) (int, bool, error) {
		if err := s.maySignIn(ctx, id); err != nil {
			return 0, false, err
		}
		return vouch(ctx, id)
	})
	if err == nil && !ok {
		err = ErrRefresh
	}
	if err != nil {
		return Session{}, err
	}
	return s.mint(ctx, family, next)
}

func (s *Sessions) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

func (s *Sessions) mint(ctx context.Context, f TokenFamily, refreshToken string) (Session, error) {
	access, expires, err := s.token(ctx, f.UserID, Grant{Version: f.TokenVersion, Life: tokenLife})
	return Session{UserID: f.UserID, AccessToken: access, RefreshToken: refreshToken, ExpiresAt: expires}, err
}

// Grant describes an access token.
type Grant struct {
	// Version is the version of the user's tokens, and Level the level of the user's
	// sign-in; omitted if 0.
	Version, Level int
	// Anonymous says that the user has no way to sign in again.
	Anonymous bool
	// Life is the lifetime of the token.
	Life time.Duration
}

// Token returns an access token without a refresh token, for systems that do not use them. It
// refuses suspended people.
func (s *Sessions) Token(ctx context.Context, id viewer.UserID, g Grant) (token string, expires time.Time, err error) {
	if err := s.maySignIn(ctx, id); err != nil {
		return "", time.Time{}, err
	}
	return s.token(ctx, id, g)
}

func (s *Sessions) maySignIn(ctx context.Context, id viewer.UserID) error {
	if s.MaySignIn == nil {
		return nil
	}
	return s.MaySignIn(ctx, id)
}

func (s *Sessions) token(ctx context.Context, id viewer.UserID, g Grant) (token string, expires time.Time, err error) {
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
		Anonymous:    g.Anonymous,
	}).Serialize()
	return token, expires, err
}

// Passwords hashes passwords with argon2id, at most one per core at a time.
type Passwords struct{ h *hasher }

// NewPasswords returns a Passwords with the given cost.
func NewPasswords(cost Cost, random io.Reader) Passwords { return Passwords{newHasher(cost, random)} }

// Hash returns the hash to store for a password.
func (p Passwords) Hash(ctx context.Context, password string) (string, error) {
	return p.h.hash(ctx, password)
}

// Matches reports whether password matches hash. An empty hash matches nothing, but takes
// as long to check as any other.
func (p Passwords) Matches(ctx context.Context, hash, password string) (bool, error) {
	return p.h.matches(ctx, hash, password)
}
