package resolvers

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Posts is the area of posts; package post implements it. A nil page is a list that the
// viewer may not see.
type Posts interface {
	Visible(ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail) (map[social.PostID]*social.SeenPost, error)
	Find(ctx context.Context, keywords string, args page.Args) (*page.Page[social.PostID], error)
	Similar(ctx context.Context, v social.Viewer, id social.PostID, args page.Args) (*page.Page[social.PostID], error)
	Keywords(ctx context.Context, text string) ([]string, error)
	ImageFiles(ctx context.Context, ids []social.PostID) (map[social.PostID]string, error)
	Items(ctx context.Context, v social.Viewer, ids []social.PostID, choice social.PostChoice, d social.Detail) ([]*social.SeenPost, error)
	ByUser(ctx context.Context, of *social.SeenUser, status *social.PostStatus, postType *social.PostType, list page.Args) (*page.Page[social.PostID], error)
	WithUnviewedComments(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error)
	Add(ctx context.Context, c social.Caller, p social.NewPost, d social.Detail) (*social.SeenPost, error)
	Edit(ctx context.Context, c social.Caller, id social.PostID, edit social.PostEdit, d social.Detail) (*social.SeenPost, error)
	Archive(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
	Restore(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
	EditExpiresAt(ctx context.Context, c social.Caller, id social.PostID, at *time.Time, d social.Detail) (*social.SeenPost, error)
	EditAlbum(ctx context.Context, c social.Caller, id social.PostID, album social.AlbumID, d social.Detail) (*social.SeenPost, error)
	EditAlbumOrder(ctx context.Context, c social.Caller, id, preceding social.PostID, d social.Detail) (*social.SeenPost, error)
	Flag(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
	Delete(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error)
}
