package store

import (
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
