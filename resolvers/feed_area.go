package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Feed is the area of feeds; package feed implements it.
type Feed interface {
	Page(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
}
