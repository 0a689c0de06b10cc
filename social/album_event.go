package social

import "time"

// AlbumPostsChanged: an album's posts or their order changed. Its stored name is
// album.arranged.
type AlbumPostsChanged struct {
	AlbumID AlbumID
	Owner   UserID
	// At differs for each change of the album.
	At time.Time
}

func (AlbumPostsChanged) EventName() string { return "album.arranged" }

// OrderingKey is unique to the event: rendering the art may take seconds, and nothing
// should wait for it.
func (e AlbumPostsChanged) OrderingKey() string {
	return string(e.AlbumID) + "/" + e.At.Format(time.RFC3339Nano)
}

// Slow says that art is drawn for seconds.
func (AlbumPostsChanged) Slow() {}

// AlbumDeleted: an album was deleted. Its posts still exist and are to be removed from it.
type AlbumDeleted struct {
	AlbumID AlbumID
	Owner   UserID
	// CreatedAt distinguishes the album from a later one with the same id.
	CreatedAt time.Time
	ArtHash   string
}

func (AlbumDeleted) EventName() string { return "album.deleted" }

// OrderingKey is the album: its posts are in no other one.
func (e AlbumDeleted) OrderingKey() string { return string(e.AlbumID) }
