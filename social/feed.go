package social

import "time"

// FeedItem records that a post is in a user's feed. Whether the user can see it is decided
// when the feed is read.
type FeedItem struct {
	PostID         PostID    `dynamo:"postId"`
	FeedUserID     UserID    `dynamo:"feedUserId"`
	PostedByUserID UserID    `dynamo:"postedByUserId"`
	PostedAt       time.Time `dynamo:"postedAt"`
}
