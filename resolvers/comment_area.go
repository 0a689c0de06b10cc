package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Comments is the area of comments; package comment implements it. A nil page is a list
// that the viewer may not see.
type Comments interface {
	Add(ctx context.Context, c social.Caller, id social.CommentID, postID social.PostID, text string, d social.Detail) (*social.SeenComment, error)
	Flag(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error)
	Delete(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error)
	OfPost(ctx context.Context, v social.Viewer, p *social.SeenPost, list page.Args, reverse bool, d social.Detail) (*page.Page[*social.SeenComment], error)
}
