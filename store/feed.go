package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A post's entry in one user's feed.
var feedRows = keyspec.Define[feedItem](Feed, keyspec.Row{
	Key: keyspec.K("{postId}", "{feedUserId}"),
	On: keyspec.Indexes{
		FeedA1: keyspec.K("{feedUserId}", "{postedAt}"),
		FeedA2: keyspec.K("{feedUserId}", "{postedByUserId}"),
	},
})

type feedItem struct {
	PostID         social.PostID `dynamo:"postId"`
	FeedUserID     social.UserID `dynamo:"feedUserId"`
	PostedAt       time.Time     `dynamo:"postedAt"`
	PostedByUserID social.UserID `dynamo:"postedByUserId"`
}
