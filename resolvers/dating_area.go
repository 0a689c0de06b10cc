package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Dating is the area of dating and matches; package dating implements it. A nil page is a
// list that the viewer may not see.
type Dating interface {
	SetStatus(ctx context.Context, c social.Caller, status social.DatingStatus) (*social.SeenUser, error)
	Renew(ctx context.Context, c social.Caller) error
	Approve(ctx context.Context, c social.Caller, other social.UserID) error
	Reject(ctx context.Context, c social.Caller, other social.UserID) error
	Matched(ctx context.Context, of *social.SeenUser, status social.MatchStatus, list page.Args) (*page.Page[social.Entry], error)
	Approvers(ctx context.Context, c social.Caller) ([]social.Entry, error)
}
