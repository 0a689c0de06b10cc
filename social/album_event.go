package social

import "time"

// AlbumArranged: an album shows other posts than before, or the same ones in another
// order.
type AlbumArranged struct {
	AlbumID AlbumID
	Owner   UserID
	// At is when, another time for each change of the album.
	At time.Time
}

func (AlbumArranged) EventName() string { return "album.arranged" }

// OrderingKey is another one for each event: what it causes may take seconds, and nothing
// else is to wait for that.
func (e AlbumArranged) OrderingKey() string {
	return string(e.AlbumID) + "/" + e.At.Format(time.RFC3339Nano)
}

// AlbumDeleted: an album is gone. Its posts are still there, and are taken out of it.
type AlbumDeleted struct {
	AlbumID AlbumID
	Owner   UserID
	// CreatedAt tells the album from another that was given its id.
	CreatedAt time.Time
	ArtHash   string
}

func (AlbumDeleted) EventName() string     { return "album.deleted" }
func (e AlbumDeleted) OrderingKey() string { return string(e.Owner) }
