package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A like is stored under its post. It is listed for the liker (A1), for the post (A2) and
// between two users (K2).
var likes = keyspec.Define[social.Like](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("post/{postId}", "like/{likedByUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("like/{likedByUserId}", "{likeStatus}/{likedAt}"),
		A2: keyspec.K("like/{postId}", "{likeStatus}/{likedAt}"),
		K2: keyspec.K("like/{postedByUserId}", "{likedByUserId}"),
	},
})
