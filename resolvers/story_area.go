package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Stories is the area of stories; package story implements it. A nil page is a list that
// the viewer may not see.
type Stories interface {
	OfUser(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
	Followed(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.UserID], error)
}
