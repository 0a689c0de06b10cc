package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

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

// CheckLike refuses a like of the post by liker, its viewer. A like given before stays
// through a time in which it could not be given.
func (s *SeenPost) CheckLike(liker *User) error {
	id, rel := s.post.PostID, s.owner.rel
	switch {
	case rel.BlockedBy:
		return refusal.Invalidf("User has been blocked by owner of post `%s`", id)
	case rel.Blocks:
		return refusal.Invalidf("User has blocked owner of post `%s`", id)
	case !s.owner.Published():
		return refusal.Invalidf("User does not have access to post `%s`", id)
	case s.post.Status != PostCompleted:
		return refusal.Invalidf("Cannot like posts with status `%s`", s.post.Status)
	case On(s.post.LikesDisabled):
		return refusal.Invalidf("Likes are disabled for this post `%s`", id)
	case !s.owner.LikesShown():
		// The parenthesis has never been closed, and clients match on the text.
		return refusal.Invalidf("Owner of this post (user `%s` has disabled likes", s.owner.UserID())
	case On(liker.LikesDisabled):
		return refusal.Invalidf("Caller `%s` has disabled likes", liker.UserID)
	case s.marks.Like != "":
		return refusal.Invalidf("User `%s` has already liked post `%s`", liker.UserID, id)
	default:
		return nil
	}
}

// LikedAt is when the viewer liked the post, zero if they do not.
func (s *SeenPost) LikedAt() time.Time { return s.marks.LikedAt }

// WithLike returns the post as it is after its viewer's like, if any, became status.
func (s *SeenPost) WithLike(status LikeStatus) *SeenPost {
	post, after := *s.post, *s
	post.countLikes(s.marks.Like, -1)
	post.countLikes(status, 1)
	after.post, after.marks.Like = &post, status
	return &after
}

// countLikes adds n likes of a status, or takes them away as far as there are any.
func (p *Post) countLikes(status LikeStatus, n int) {
	switch status {
	case OnymouslyLiked:
		p.OnymousLikeCount = max(0, p.OnymousLikeCount+n)
	case AnonymouslyLiked:
		p.AnonymousLikeCount = max(0, p.AnonymousLikeCount+n)
	}
}

// LikedPostsShown reports whether the viewer sees which posts the user likes in the
// way that status says. Posts liked anonymously are for the user alone.
func (s *SeenUser) LikedPostsShown(status LikeStatus) bool {
	return s.rel.Self || status == OnymouslyLiked && !s.rel.BlockedBy
}
