package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A post's entry in one user's feed.
var feedRows = keyspec.Define[social.FeedItem](Feed, keyspec.Row{
	Key: keyspec.K("{postId}", "{feedUserId}"),
	On: keyspec.Indexes{
		FeedA1: keyspec.K("{feedUserId}", "{postedAt}"),
		FeedA2: keyspec.K("{feedUserId}", "{postedByUserId}"),
	},
})

// Feeds were once stored in the main table.
var legacyFeed = keyspec.Define[legacyFeedItem](Main, keyspec.Row{
	Version: 3,
	Key:     keyspec.K("post/{postId}", "feed/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("feed/{userId}", "{postedAt}"),
		A2: keyspec.K("feed/{userId}", "{postedByUserId}"),
	},
	Legacy: true,
})

type legacyFeedItem struct {
	PostID         social.PostID `dynamo:"postId,keyonly"`
	UserID         social.UserID `dynamo:"userId,keyonly"`
	PostedAt       time.Time     `dynamo:"postedAt,keyonly"`
	PostedByUserID social.UserID `dynamo:"postedByUserId,keyonly"`
}
