package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Albums is the area of albums; package album implements it. A nil page is a list that the
// viewer may not see.
type Albums interface {
	Album(ctx context.Context, v social.Viewer, id social.AlbumID, d social.Detail) (*social.SeenAlbum, error)
	ByUser(ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args, reverse bool, d social.Detail) (*page.Page[*social.SeenAlbum], error)
	Shows(ctx context.Context, a *social.SeenAlbum, list page.Args) (*page.Page[social.PostID], error)
	Add(ctx context.Context, c social.Caller, id social.AlbumID, name, description string) (*social.SeenAlbum, error)
	Edit(ctx context.Context, c social.Caller, id social.AlbumID, edit social.AlbumEdit) (*social.SeenAlbum, error)
	Delete(ctx context.Context, c social.Caller, id social.AlbumID) (*social.SeenAlbum, error)
}
