package social

import "time"

// FeedItem records that a post is in a user's feed. Whether the user can see it is decided
// when the feed is read.
type FeedItem struct {
	PostID         PostID
	FeedUserID     UserID
	PostedByUserID UserID
	PostedAt       time.Time
}
