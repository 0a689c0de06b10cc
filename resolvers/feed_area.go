package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Feed knows what stands in whose feed: package feed.
type Feed interface {
	Page(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
}
