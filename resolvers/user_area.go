package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Users is the area of profiles; package user implements it.
type Users interface {
	Admit(ctx context.Context, v social.Viewer, allowed []social.UserStatus) (social.Caller, error)
	Self(ctx context.Context, v social.Viewer) (*social.SeenUser, error)
	Visible(ctx context.Context, v social.Viewer, ids []social.UserID, d social.Detail) (social.SeenUsers, error)
	Listed(ctx context.Context, v social.Viewer, entries []social.Entry, d social.Detail) ([]*social.SeenUser, error)
	UsernameStatus(ctx context.Context, v social.Viewer, name string) (social.UsernameStatus, error)
	Create(ctx context.Context, v social.Viewer, username, fullName string) (*social.SeenUser, error)
	Search(ctx context.Context, text string, args page.Args) (*page.Page[social.UserID], error)
	FindContacts(ctx context.Context, c social.Caller, contacts social.Contacts, d social.Detail) ([]*social.FoundContact, error)
	SetAPNSToken(ctx context.Context, c social.Caller, token string) (*social.SeenUser, error)
	SetDetails(ctx context.Context, c social.Caller, details social.UserDetails) (*social.SeenUser, error)
}
