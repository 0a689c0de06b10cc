package social

import "context"

// PostAlbum is the album that a post is in.
var PostAlbum = Details.New("POST_ALBUM")

// AlbumFacts are an album, read for somebody. Only a store makes them; what a change makes
// of them is a method here.
type AlbumFacts struct {
	Viewer UserID
	Album  *Album
}

// AlbumReader reads albums.
type AlbumReader interface {
	// Facts returns the albums among ids that exist. No ids cost nothing.
	Facts(ctx context.Context, viewer UserID, ids []AlbumID) (map[AlbumID]AlbumFacts, error)
}

// NewAlbumFacts are the facts about an album that the caller just made. It panics when the
// album is somebody else's.
func NewAlbumFacts(c Caller, a *Album) AlbumFacts {
	mine(c.Viewer, a.OwnedByUserID)
	return AlbumFacts{Viewer: c.UserID, Album: a}
}

// Edited returns the facts as they are once the album is edited.
func (f AlbumFacts) Edited(edit AlbumEdit) AlbumFacts {
	f.Album = edit.Of(f.Album)
	return f
}

// See shows the album to its viewer, who sees users as given. It returns nil for one that
// they may not see: others than its owner see what the owner publishes.
func (f AlbumFacts) See(users SeenUsers) *SeenAlbum {
	owner := users.maker(f.Album.OwnedByUserID, f.Viewer, f.Album.CreatedAt)
	if owner == nil || !owner.Published() {
		return nil
	}
	return &SeenAlbum{album: f.Album, owner: owner}
}
