package social

import (
	"time"

	"stoa/internal/kit/optional"
)

// SeenAlbum is an album as a viewer sees it. Each method is a field of the API's Album. It
// exists only if the viewer may see the album.
type SeenAlbum struct {
	album *Album
	owner *SeenUser
}

func (s *SeenAlbum) AlbumID() AlbumID     { return s.album.AlbumID }
func (s *SeenAlbum) CreatedAt() time.Time { return s.album.CreatedAt }
func (s *SeenAlbum) OwnedBy() *SeenUser   { return s.owner }
func (s *SeenAlbum) Name() string         { return s.album.Name }
func (s *SeenAlbum) Description() *string { return shownIfSet(true, s.album.Description) }
func (s *SeenAlbum) PostCount() int       { return s.album.PostCount }

// PostsLastUpdatedAt is nil until the first completed post is added.
func (s *SeenAlbum) PostsLastUpdatedAt() *time.Time {
	return optional.IfSet(s.album.PostsLastUpdatedAt)
}
