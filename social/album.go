package social

import "time"

// emptyAlbumLife is how long an album may stay empty before it is deleted.
const emptyAlbumLife = 24 * time.Hour

// Unranked is the rank of a post that its album does not show. All others lie between -1
// and 1.
const Unranked = -1.0

// Album is an album as stored. Clients never get one: they get a SeenAlbum.
type Album struct {
	AlbumID       AlbumID
	OwnedByUserID UserID
	// Name may be empty, although no edit can make it so.
	Name        string
	Description string
	CreatedAt   time.Time
	// PostCount counts the completed posts in the album.
	PostCount int
	// RankCount is how often a post was given a rank. It never decreases.
	RankCount int
	// PostsLastUpdatedAt is zero until a completed post first enters. Each change of
	// what the album shows makes it later, by a millisecond at least.
	PostsLastUpdatedAt time.Time
	// ArtHash names the art; empty for the default art.
	ArtHash string
	// DeleteAt is when the album is deleted for being empty; zero while it shows a post.
	DeleteAt time.Time
}

// NewAlbum makes an album of the owner.
func NewAlbum(owner UserID, id AlbumID, name, description string, at time.Time) *Album {
	return &Album{
		AlbumID: id, OwnedByUserID: owner, Name: name, Description: description,
		CreatedAt: at, DeleteAt: at.Add(emptyAlbumLife),
	}
}

// backRank and frontRank are the ranks of the n-th post that is ranked, behind and before
// all others.
func backRank(n int) float64  { return 1 - 2/float64(n+1) }
func frontRank(n int) float64 { return 2/float64(n+1) - 1 }

// changed returns the album as it is once it shows more posts, or fewer, or the same ones
// otherwise. The change comes at a time, and a millisecond after those before it at least:
// clients tell no times apart that are closer.
func (a *Album) changed(more int, at time.Time, before ...time.Time) *Album {
	c := *a
	for _, t := range append(before, a.PostsLastUpdatedAt) {
		if next := t.Add(time.Millisecond); !t.IsZero() && at.Before(next) {
			at = next
		}
	}
	c.PostsLastUpdatedAt = at
	c.PostCount = max(0, c.PostCount+more)
	switch {
	case c.PostCount > 0:
		c.DeleteAt = time.Time{}
	case more < 0:
		c.DeleteAt = at.Add(emptyAlbumLife)
	}
	return &c
}

// Due reports whether the album is to be deleted by a time, for being empty.
func (a *Album) Due(now time.Time) bool { return !a.DeleteAt.IsZero() && a.DeleteAt.Before(now) }
