package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A like is stored under its post. It is listed for the liker (A1), for the post (A2) and
// between two users (K2).
var likes = keyspec.Define[likeItem](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("post/{postId}", "like/{likedByUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("like/{likedByUserId}", "{likeStatus}/{likedAt}"),
		A2: keyspec.K("like/{postId}", "{likeStatus}/{likedAt}"),
		K2: keyspec.K("like/{postedByUserId}", "{likedByUserId}"),
	},
})

type likeItem struct {
	LikedByUserID  social.UserID     `dynamo:"likedByUserId"`
	LikeStatus     social.LikeStatus `dynamo:"likeStatus"`
	LikedAt        time.Time         `dynamo:"likedAt"`
	PostID         social.PostID     `dynamo:"postId"`
	PostedByUserID social.UserID     `dynamo:"postedByUserId,keyonly"`
}
