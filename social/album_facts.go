package social

import "context"

// PostAlbum is the album of a post.
var PostAlbum = Details.New("POST_ALBUM")

// AlbumFacts are an album as read for a viewer. Only a store creates them; methods here
// return the facts after a change.
type AlbumFacts struct {
	Viewer UserID
	Album  *Album
}

// AlbumReader reads albums.
type AlbumReader interface {
	// Facts returns those albums that exist. An empty list costs nothing.
	Facts(ctx context.Context, viewer UserID, ids []AlbumID) (map[AlbumID]AlbumFacts, error)
}

// NewAlbumFacts returns the facts of an album that the caller has just created. It panics
// if the caller is not its owner.
func NewAlbumFacts(c Caller, a *Album) AlbumFacts {
	mine(c.Viewer, a.OwnedByUserID)
	return AlbumFacts{Viewer: c.UserID, Album: a}
}

// Outlives reports whether the album belongs to a former profile of u.
func (f AlbumFacts) Outlives(u *User) bool {
	return f.Album.OwnedByUserID == u.UserID && u.Former(f.Album.CreatedAt)
}

// Edited returns the facts after the edit.
func (f AlbumFacts) Edited(edit AlbumEdit) AlbumFacts {
	f.Album = edit.Of(f.Album)
	return f
}

// See returns the album as its viewer sees it, or nil if they may not. Everybody but the
// owner sees an album only while the owner's content is published.
func (f AlbumFacts) See(users SeenUsers) *SeenAlbum {
	owner := users.maker(f.Album.OwnedByUserID, f.Viewer, f.Album.CreatedAt)
	if owner == nil || !owner.Published() {
		return nil
	}
	return &SeenAlbum{album: f.Album, owner: owner}
}
