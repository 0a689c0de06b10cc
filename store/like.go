package store

import (
	"stoa"
	"stoa/internal/kit/keyspec"
)

// A like lives under its post. It is listed for its liker (A1), for the post (A2)
// and between two users (K2).
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
	LikedByUserID  stoa.UserID     `dynamo:"likedByUserId"`
	LikeStatus     stoa.LikeStatus `dynamo:"likeStatus"`
	LikedAt        keyspec.Stamp   `dynamo:"likedAt"`
	PostID         stoa.PostID     `dynamo:"postId"`
	PostedByUserID stoa.UserID     `dynamo:"postedByUserId,keyonly"`
}
