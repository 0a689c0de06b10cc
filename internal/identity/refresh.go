package identity

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"stoa/internal/kit/refusal"
)

// refreshLife is the lifetime of an unused refresh token.
const refreshLife = 3650 * 24 * time.Hour

var errRefresh = refusal.Forbiddenf("Invalid Refresh Token")

// begin starts a token family for an authenticated identity.
func (s *Issuer) begin(ctx context.Context, i Identity) (Tokens, error) {
	family := TokenFamily{FamilyID: s.NewID(), UserID: i.UserID, TokenVersion: i.TokenVersion}
	token, err := s.renew(&family)
	if err != nil {
		return Tokens{}, err
	}
	if err := s.Store.AddTokenFamily(ctx, family); err != nil {
		return Tokens{}, err
	}
	return s.mint(ctx, i, token)
}

// renew returns the next token of a family: the family's id, for lookup, and a secret of
// 256 bits.
func (s *Issuer) renew(f *TokenFamily) (string, error) {
	secret := make([]byte, 32)
	if _, err := io.ReadFull(s.Random, secret); err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(secret)
	f.Digest, f.ExpiresAt = digest(text), s.now().Add(refreshLife)
	return f.FamilyID + "." + text, nil
}

// refresh exchanges a refresh token for new tokens. If the token was exchanged before, it
// has been stolen, and it is unknown by which side: the family is revoked.
func (s *Issuer) refresh(ctx context.Context, token string) (Tokens, error) {
	family, secret, err := s.family(ctx, token)
	if err != nil {
		return Tokens{}, err
	}
	if subtle.ConstantTimeCompare([]byte(family.Digest), []byte(digest(secret))) != 1 || !s.now().Before(family.ExpiresAt) {
		return Tokens{}, s.end(ctx, family)
	}
	holder, found, err := s.living(ctx, family.UserID)
	if err != nil {
		return Tokens{}, err
	}
	if !found || holder.TokenVersion != family.TokenVersion {
		return Tokens{}, s.end(ctx, family)
	}
	next := family
	token, err = s.renew(&next)
	if err != nil {
		return Tokens{}, err
	}
	err = s.Store.RotateTokenFamily(ctx, family, next)
	if refusal.KindOf(err) == refusal.Conflict {
		return Tokens{}, s.end(ctx, family) // exchanged concurrently
	}
	if err != nil {
		return Tokens{}, err
	}
	return s.mint(ctx, holder, token)
}

// signOut revokes the family of a token. Unknown tokens are ignored.
func (s *Issuer) signOut(ctx context.Context, token string) error {
	family, _, err := s.family(ctx, token)
	if errors.Is(err, errRefresh) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Store.RemoveTokenFamily(ctx, family.FamilyID)
}

// family returns the family identified by a token, and the token's secret.
func (s *Issuer) family(ctx context.Context, token string) (TokenFamily, string, error) {
	id, secret, _ := strings.Cut(token, ".")
	if parsed, err := uuid.Parse(id); err != nil || parsed.String() != id {
		return TokenFamily{}, "", errRefresh
	}
	family, found, err := s.Store.TokenFamily(ctx, id)
	if err == nil && !found {
		err = errRefresh
	}
	return family, secret, err
}

// end removes a family and returns the refusal for the caller.
func (s *Issuer) end(ctx context.Context, f TokenFamily) error {
	if err := s.Store.RemoveTokenFamily(ctx, f.FamilyID); err != nil {
		return err
	}
	return errRefresh
}
