package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Likes is the area of likes; package like implements it. A nil page is a list that the
// viewer may not see.
type Likes interface {
	Like(ctx context.Context, c social.Caller, id social.PostID, status social.LikeStatus, d social.Detail) (*social.SeenPost, error)
	Dislike(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
	LikedBy(ctx context.Context, p *social.SeenPost, list page.Args) (*page.Page[social.Entry], error)
	LikedPosts(ctx context.Context, of *social.SeenUser, status social.LikeStatus, list page.Args) (*page.Page[social.PostID], error)
}
