package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Views is the area of post views; package view implements it. A nil page is a list that
// the viewer may not see.
type Views interface {
	Report(ctx context.Context, c social.Caller, ids []social.PostID, t social.ViewType) error
	ViewedBy(ctx context.Context, p *social.SeenPost, list page.Args) (*page.Page[social.Entry], error)
}
