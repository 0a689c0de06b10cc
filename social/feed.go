package social

import (
	"cmp"
	"time"
)

// FeedItem records that a post is in a user's feed. Whether the user can see it is decided
// when the feed is read.
type FeedItem struct {
	PostID         PostID    `dynamo:"postId"`
	FeedUserID     UserID    `dynamo:"feedUserId"`
	PostedByUserID UserID    `dynamo:"postedByUserId"`
	PostedAt       time.Time `dynamo:"postedAt"`
}

// Compare orders feeds, newest posts first. Of posts of the same time, the order is that of
// their ids, as in an index.
func (i FeedItem) Compare(other FeedItem) int {
	return cmp.Or(other.PostedAt.Compare(i.PostedAt), cmp.Compare(other.PostID, i.PostID))
}
