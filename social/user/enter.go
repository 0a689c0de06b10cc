package user

import (
	"context"

	"stoa/internal/auth/provider"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// takenName is the error format for a taken username of users who had no account before.
const takenName = "Username `%s` already taken"

// CreateAnonymous creates an account and a profile without contacts, with a random
// username, for an identity that has neither, and starts a session.
func (s *Service) CreateAnonymous(ctx context.Context, v social.Viewer) (social.CognitoTokens, error) {
	issuer, err := s.issuer()
	if err != nil {
		return social.CognitoTokens{}, err
	}
	u := social.User{Username: social.AnonymousUsername(s.NewID()), Status: social.UserAnonymous}
	tokens, err := issuer.EnterAnonymously(ctx, v.UserID, func(ctx context.Context, account identity.Change) error {
		_, err := s.create(ctx, v, u, account, takenName)
		return err
	})
	return social.CognitoTokens{
		AccessToken: tokens.AccessToken, IdToken: tokens.IDToken, RefreshToken: tokens.RefreshToken,
		ExpiresIn: tokens.ExpiresIn, TokenType: tokens.TokenType,
	}, err
}

// CreateWithLogin creates an account and a profile, with the e-mail address of a provider's
// login, for an identity that has neither.
func (s *Service) CreateWithLogin(ctx context.Context, v social.Viewer, p social.LoginProvider, token, username, fullName string) (*social.SeenUser, error) {
	if err := social.CheckUsername(username); err != nil {
		return nil, err
	}
	if err := social.CheckProfileText("fullName", fullName); err != nil {
		return nil, err
	}
	login, issuer, err := s.login(ctx, p, token)
	if err != nil {
		return nil, err
	}
	switch holder, found, err := s.UserIDByUsername(ctx, username); {
	case err != nil:
		return nil, err
	case found && holder != v.UserID:
		return nil, refusal.Invalidf(takenName, username)
	}
	u := social.User{Username: username, FullName: fullName, Email: login.Email}
	var seen *social.SeenUser
	err = issuer.EnterWithLogin(ctx, v.UserID, login, func(ctx context.Context, account identity.Change) (err error) {
		seen, err = s.create(ctx, v, u, account, takenName)
		return err
	})
	return seen, err
}

// login verifies a provider's token, if this server supports logins.
func (s *Service) login(ctx context.Context, p social.LoginProvider, token string) (provider.Login, Issuer, error) {
	issuer, err := s.issuer()
	if err != nil {
		return provider.Login{}, nil, err
	}
	verifier := map[social.LoginProvider]provider.Provider{
		social.AppleLogin: s.Providers.Apple, social.FacebookLogin: s.Providers.Facebook, social.GoogleLogin: s.Providers.Google,
	}[p]
	if verifier == nil {
		return provider.Login{}, nil, refusal.Invalidf("Logins of %s are not accepted here", p)
	}
	login, err := verifier.Verify(ctx, token)
	return login, issuer, err
}
