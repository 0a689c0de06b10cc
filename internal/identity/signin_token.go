package identity

import (
	"context"

	"stoa/internal/auth/provider"
)

// Fields for the tokens of providers.
const (
	byAppleToken    = "appleIdToken"
	byGoogleToken   = "googleIdToken"
	byFacebookToken = "facebookAccessToken"
)

var tokenFields = []string{byAppleToken, byGoogleToken, byFacebookToken}

// signInByToken signs in the identity that a third-party login is linked to.
func (s *Issuer) signInByToken(ctx context.Context, n name, address string) (Tokens, error) {
	if err := s.take("sign-in from "+address, s.attempts.limits.Load().SignInAddress); err != nil {
		return Tokens{}, err
	}
	p := map[string]provider.Provider{
		byAppleToken: s.Providers.Apple, byGoogleToken: s.Providers.Google, byFacebookToken: s.Providers.Facebook,
	}[n.kind]
	if p == nil {
		return Tokens{}, errMismatch
	}
	login, err := p.Verify(ctx, n.value)
	if err != nil {
		return Tokens{}, err
	}
	id, found, err := s.Store.LoginHolder(ctx, login.Provider, login.Subject)
	if err != nil {
		return Tokens{}, err
	}
	owner, lives, err := s.living(ctx, id)
	if err != nil {
		return Tokens{}, err
	}
	if !found || !lives {
		return Tokens{}, errMismatch
	}
	return s.begin(ctx, owner)
}
