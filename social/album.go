package social

import "time"

// emptyAlbumLife is how long an album may stay empty before it is deleted.
const emptyAlbumLife = 24 * time.Hour

// Unranked is the rank of a post that is not shown in its album. All other ranks are
// between -1 and 1.
const Unranked = -1.0

// Album is a stored album. Clients see it as a SeenAlbum.
type Album struct {
	AlbumID       AlbumID `dynamo:"albumId"`
	OwnedByUserID UserID  `dynamo:"ownedByUserId"`
	// Name may be empty in old data, although edits require one.
	Name        string    `dynamo:"name"`
	Description string    `dynamo:"description"`
	CreatedAt   time.Time `dynamo:"createdAt"`
	// PostCount counts the completed posts in the album.
	PostCount int `dynamo:"postCount"`
	// RankCount is the number of ranks ever assigned. It never decreases.
	RankCount int `dynamo:"rankCount"`
	// PostsLastUpdatedAt is zero until the first completed post is added. Every change to
	// what the album shows increases it by at least a millisecond.
	PostsLastUpdatedAt time.Time `dynamo:"postsLastUpdatedAt"`
	// ArtHash identifies the art; empty for the default art.
	ArtHash string `dynamo:"artHash"`
	// DeleteAt is when the empty album is to be deleted; zero while it shows a post.
	DeleteAt time.Time `dynamo:"deleteAt,keyonly"`
}

// NewAlbum returns a new, empty album.
func NewAlbum(owner UserID, id AlbumID, name, description string, at time.Time) *Album {
	return &Album{
		AlbumID: id, OwnedByUserID: owner, Name: name, Description: description,
		CreatedAt: at, DeleteAt: at.Add(emptyAlbumLife),
	}
}

// backRank and frontRank return the n-th rank assigned, behind or in front of all others.
func backRank(n int) float64  { return 1 - 2/float64(n+1) }
func frontRank(n int) float64 { return 2/float64(n+1) - 1 }

// changed returns the album after its post count has changed by more, which may be 0. The
// change happens at the given time, or a millisecond after the latest of before and the
// album's previous change, because clients do not distinguish times that are closer.
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

// Due reports whether the empty album is to be deleted by now.
func (a *Album) Due(now time.Time) bool { return !a.DeleteAt.IsZero() && a.DeleteAt.Before(now) }
