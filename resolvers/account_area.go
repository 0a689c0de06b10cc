package resolvers

import (
	"context"

	"stoa/social"
)

// Accounts is the area of the logins that users sign in with and their effects on profiles;
// package user implements it.
type Accounts interface {
	CreateAnonymous(ctx context.Context, v social.Viewer) (social.CognitoTokens, error)
	CreateWithLogin(ctx context.Context, v social.Viewer, p social.LoginProvider, token, username, fullName string) (*social.SeenUser, error)
	StartContactChange(ctx context.Context, c social.Caller, via social.Channel, value string) (*social.SeenUser, error)
	FinishContactChange(ctx context.Context, c social.Caller, via social.Channel, code string) (*social.SeenUser, error)
	SetPassword(ctx context.Context, c social.Caller, encrypted string) (*social.SeenUser, error)
	Reset(ctx context.Context, v social.Viewer, username string) (*social.SeenUser, error)
	Disable(ctx context.Context, v social.Viewer) (*social.SeenUser, error)
	Delete(ctx context.Context, v social.Viewer) (*social.SeenUser, error)
	LinkLogin(ctx context.Context, c social.Caller, p social.LoginProvider, token string) (*social.SeenUser, error)
}
