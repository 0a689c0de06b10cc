package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Follows is the area of follows; package follow implements it. A nil page is a list that
// the viewer may not see.
type Follows interface {
	Request(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Leave(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Accept(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error)
	Deny(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error)
	Followed(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, list page.Args) (*page.Page[social.Entry], error)
	Followers(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, list page.Args) (*page.Page[social.Entry], error)
}
