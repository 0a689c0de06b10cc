package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Trending is the area of posts and users viewed a lot lately; package trending implements
// it.
type Trending interface {
	Posts(ctx context.Context, list page.Args) (*page.Page[social.PostID], error)
	Users(ctx context.Context, list page.Args) (*page.Page[social.UserID], error)
}
