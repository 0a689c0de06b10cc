package resolvers

import (
	"context"

	"stoa/social"
)

// Users knows profiles: package user.
type Users interface {
	Admit(ctx context.Context, v social.Viewer, allowed []social.UserStatus) (social.Caller, error)
	Self(ctx context.Context, v social.Viewer, d social.Detail) (*social.SeenUser, error)
	Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (social.SeenUsers, error)
	Listed(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) ([]*social.SeenUser, error)
	UsernameStatus(ctx context.Context, name string) (social.UsernameStatus, error)
	Create(ctx context.Context, v social.Viewer, username, fullName string) (*social.SeenUser, error)
	SetDetails(ctx context.Context, c social.Caller, details social.UserDetails) (*social.SeenUser, error)
}
