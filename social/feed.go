package social

import "time"

// FeedItem says that a post stands in a user's feed. Whether it can be seen there is
// decided when the feed is read.
type FeedItem struct {
	PostID         PostID
	FeedUserID     UserID
	PostedByUserID UserID
	PostedAt       time.Time
}
