package store

import (
	"stoa"
	"stoa/internal/kit/keyspec"
)

// A post's place in one user's feed.
var feedRows = keyspec.Define[feedItem](Feed, keyspec.Row{
	Key: keyspec.K("{postId}", "{feedUserId}"),
	On: keyspec.Indexes{
		FeedA1: keyspec.K("{feedUserId}", "{postedAt}"),
		FeedA2: keyspec.K("{feedUserId}", "{postedByUserId}"),
	},
})

type feedItem struct {
	PostID         stoa.PostID   `dynamo:"postId"`
	FeedUserID     stoa.UserID   `dynamo:"feedUserId"`
	PostedAt       keyspec.Stamp `dynamo:"postedAt"`
	PostedByUserID stoa.UserID   `dynamo:"postedByUserId"`
}
