package resolvers

import (
	"context"

	"stoa/social"
)

// Accounts changes who people sign in as, and their profiles with that: package user.
type Accounts interface {
	CreateAnonymous(ctx context.Context, v social.Viewer) (social.CognitoTokens, error)
	CreateWithLogin(ctx context.Context, v social.Viewer, p social.LoginProvider, token, username, fullName string) (*social.SeenUser, error)
	LinkLogin(ctx context.Context, c social.Caller, p social.LoginProvider, token string) (*social.SeenUser, error)
}
