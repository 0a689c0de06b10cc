package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Families stores token families; see Store for its methods.
type Families interface {
	TokenFamily(ctx context.Context, id string) (f TokenFamily, found bool, err error)
	AddTokenFamily(ctx context.Context, f TokenFamily) error
	RotateTokenFamily(ctx context.Context, before, after TokenFamily) error
	RemoveTokenFamily(ctx context.Context, id string) error
}

// families issues and exchanges refresh tokens.
type families struct {
	Families
	// life is the lifetime of an unused token.
	life   time.Duration
	now    func() time.Time
	random io.Reader
}

// begin stores a new family and returns its first token.
func (s families) begin(ctx context.Context, f TokenFamily) (token string, err error) {
	if token, err = s.renew(ctx, &f); err != nil {
		return "", err
	}
	return token, s.AddTokenFamily(ctx, f)
}

// renew returns the next token of a family: the family's id, for lookup, and a secret of
// 256 bits.
func (s families) renew(ctx context.Context, f *TokenFamily) (string, error) {
	secret := make([]byte, 32)
	if _, err := io.ReadFull(s.random, secret); err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(secret)
	now := s.now()
	f.Digest, f.ExpiresAt, f.LastUsedAt, f.Origin = digest(text), now.Add(s.life), now, originOf(ctx)
	if f.StartedAt.IsZero() {
		f.StartedAt = now
	}
	return f.FamilyID + "." + text, nil
}

// find returns the family identified by a token, and the token's secret.
func (s families) find(ctx context.Context, token string) (f TokenFamily, secret string, found bool, err error) {
	id, secret, _ := strings.Cut(token, ".")
	if parsed, err := uuid.Parse(id); err != nil || parsed.String() != id {
		return TokenFamily{}, "", false, nil
	}
	f, found, err = s.TokenFamily(ctx, id)
	return f, secret, found, err
}

// exchange replaces a token by the next one of its family; ok is false if it is refused.
// vouch returns the current version of the user's tokens, and false if the user may not sign
// in at present. If the token was exchanged before, it has been stolen, and it is unknown by
// which side: the family is revoked.
func (s families) exchange(
	ctx context.Context,
	token string,
	vouch func(ctx context.Context, id viewer.UserID) (version int, ok bool, err error),
) (f TokenFamily, next string, ok bool, err error) {
	family, secret, found, err := s.find(ctx, token)
	if err != nil || !found {
		return TokenFamily{}, "", false, err
	}
	version, ok, err := vouch(ctx, family.UserID)
	if err != nil || !ok {
		return TokenFamily{}, "", false, err
	}
	if subtle.ConstantTimeCompare([]byte(family.Digest), []byte(digest(secret))) == 1 &&
		s.now().Before(family.ExpiresAt) && version == family.TokenVersion {
		f = family
		if next, err = s.renew(ctx, &f); err != nil {
			return TokenFamily{}, "", false, err
		}
		err = s.RotateTokenFamily(ctx, family, f)
		if refusal.KindOf(err) != refusal.Conflict { // otherwise it was exchanged concurrently
			return f, next, err == nil, err
		}
	}
	return TokenFamily{}, "", false, s.RemoveTokenFamily(ctx, family.FamilyID)
}

// refreshLife is the lifetime of an unused refresh token of an Issuer.
const refreshLife = 3650 * 24 * time.Hour

var errRefresh = refusal.Forbiddenf("Invalid Refresh Token")

func (s *Issuer) families() families { return families{s.Store, refreshLife, s.now, s.Random} }

// begin starts a token family for an authenticated identity.
func (s *Issuer) begin(ctx context.Context, i Identity) (Tokens, error) {
	if err := s.maySignIn(ctx, i.UserID); err != nil {
		return Tokens{}, s.keptOut(ctx, i, err)
	}
	token, err := s.families().begin(ctx, TokenFamily{FamilyID: s.NewID(), UserID: i.UserID, TokenVersion: i.TokenVersion})
	if err != nil {
		return Tokens{}, err
	}
	return s.mint(ctx, i, token)
}

// refresh exchanges a refresh token for new tokens.
func (s *Issuer) refresh(ctx context.Context, token string) (Tokens, error) {
	const noVersion = -1 // the families of deleted identities are revoked
	var holder Identity
	_, next, ok, err := s.families().exchange(ctx, token, func(ctx context.Context, id viewer.UserID) (int, bool, error) {
		i, found, err := s.living(ctx, id)
		if holder = i; !found {
			return noVersion, true, err
		}
		if err == nil {
			if out := s.maySignIn(ctx, id); out != nil {
				err = s.keptOut(ctx, i, out)
			}
		}
		return i.TokenVersion, true, err
	})
	if err == nil && !ok {
		err = errRefresh
	}
	if err != nil {
		return Tokens{}, err
	}
	return s.mint(ctx, holder, next)
}

// signOut revokes the family of a token. Unknown tokens are ignored.
func (s *Issuer) signOut(ctx context.Context, token string) error {
	family, _, found, err := s.families().find(ctx, token)
	if err != nil || !found {
		return err
	}
	return s.Store.RemoveTokenFamily(ctx, family.FamilyID)
}
