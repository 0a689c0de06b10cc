package identity

import (
	"context"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
)

// tokenLife is the lifetime of access and id tokens, unless they are revoked.
const tokenLife = time.Hour

// Tokens are the tokens of a session, in the form of the API.
type Tokens struct {
	AccessToken  string `json:"accessToken"`
	IDToken      string `json:"idToken"`
	RefreshToken string `json:"refreshToken"`
	// ExpiresIn is the lifetime of the access and id tokens in seconds.
	ExpiresIn int    `json:"expiresIn"`
	TokenType string `json:"tokenType"`
}

// claims are the claims of issued tokens. Only id tokens contain contacts.
type claims struct {
	jwt.Claims
	TokenUse      string `json:"token_use"`
	TokenVersion  int    `json:"token_version,omitempty"`
	Level         int    `json:"auth_level,omitempty"`
	Anonymous     bool   `json:"anonymous,omitempty"`
	Email         string `json:"email,omitempty"`
	EmailVerified bool   `json:"email_verified,omitempty"`
	Phone         string `json:"phone_number,omitempty"`
	PhoneVerified bool   `json:"phone_number_verified,omitempty"`
}

// mint returns signed access and id tokens of an identity.
func (s *Issuer) mint(ctx context.Context, i Identity, refreshToken string) (Tokens, error) {
	ring, err := s.Keys.current(ctx)
	if err != nil {
		return Tokens{}, err
	}
	signer, now := ring[len(ring)-1].signer, s.now()
	access := claims{
		Claims: jwt.Claims{
			Issuer:   s.PublicURL,
			Subject:  string(i.UserID),
			Audience: jwt.Audience{s.Audience},
			IssuedAt: jwt.NewNumericDate(now),
			Expiry:   jwt.NewNumericDate(now.Add(tokenLife)),
			ID:       s.NewID(),
		},
		TokenUse:     "access",
		TokenVersion: i.TokenVersion,
		Anonymous:    anonymous(i),
	}
	id := access
	id.TokenUse, id.ID = "id", s.NewID()
	id.Email, id.EmailVerified = i.Email, i.Email != ""
	id.Phone, id.PhoneVerified = i.Phone, i.Phone != ""

	tokens := Tokens{RefreshToken: refreshToken, ExpiresIn: int(tokenLife / time.Second), TokenType: "Bearer"}
	if tokens.AccessToken, err = jwt.Signed(signer).Claims(access).Serialize(); err != nil {
		return Tokens{}, err
	}
	tokens.IDToken, err = jwt.Signed(signer).Claims(id).Serialize()
	return tokens, err
}
