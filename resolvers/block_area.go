package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Blocks is the area of blocks; package block implements it. A nil page is a list that the
// viewer may not see.
type Blocks interface {
	Block(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Unblock(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error)
	Blocked(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.Entry], error)
}
