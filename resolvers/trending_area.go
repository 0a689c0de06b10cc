package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Trending knows what is viewed a lot lately: package trending.
type Trending interface {
	Posts(ctx context.Context, list page.Args) (*page.Page[social.PostID], error)
	Users(ctx context.Context, list page.Args) (*page.Page[social.UserID], error)
}
