package stoa

import "time"

// LikeStatus is whether and how a user likes a post.
type LikeStatus string

const (
	// OnymouslyLiked shows the liker to the post's owner.
	OnymouslyLiked LikeStatus = "ONYMOUSLY_LIKED"
	// AnonymouslyLiked shows the liker to nobody but themselves.
	AnonymouslyLiked LikeStatus = "ANONYMOUSLY_LIKED"
	NotLiked         LikeStatus = "NOT_LIKED"
)

// Like is one user's like of one post. A user likes a post in one way at a time.
type Like struct {
	PostID         PostID
	LikedByUserID  UserID
	PostedByUserID UserID
	Status         LikeStatus
	LikedAt        time.Time
}
