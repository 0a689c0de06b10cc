package social

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
)

// LikeStatus is whether, and how, a user likes a post.
type LikeStatus string

const (
	// OnymouslyLiked reveals the liker to the post's owner.
	OnymouslyLiked LikeStatus = "ONYMOUSLY_LIKED"
	// AnonymouslyLiked reveals the liker to nobody.
	AnonymouslyLiked LikeStatus = "ANONYMOUSLY_LIKED"
	NotLiked         LikeStatus = "NOT_LIKED"
)

// Like is a user's like of a post. A user can like a post in only one way at a time.
type Like struct {
	PostID         PostID     `dynamo:"postId"`
	LikedByUserID  UserID     `dynamo:"likedByUserId"`
	PostedByUserID UserID     `dynamo:"postedByUserId,keyonly"`
	Status         LikeStatus `dynamo:"likeStatus"`
	LikedAt        time.Time  `dynamo:"likedAt"`
}

// LikeStep is a decided like together with what it was decided on: a store adds it only
// while all of that still holds.
type LikeStep struct {
	Like Like
	// Blocks is the BlocksVersion of the liker, read before the blocks between the two.
	Blocks int
	// Since is when the younger of the profiles of liker and owner began.
	Since time.Time
	// AsFollower: the liker must follow the owner.
	AsFollower bool
	// Card is the change of the card that tells the owner. The zero value is none.
	Card CardChange
	// Former is a like left by a former profile of the liker, which has yet to be removed and
	// is replaced; nil without one.
	Former *Like
}

// Like is the step by which liker, the viewer, likes the post now, whose owner they see as
// given, or the reason why that cannot be. The clocks of other processes may be ahead of this
// one's, but no like comes before its post.
func (f PostFacts) Like(owner *SeenUser, liker *User, status LikeStatus, now time.Time) (LikeStep, error) {
	if err := f.checkLike(owner, liker); err != nil {
		return LikeStep{}, err
	}
	since := latest(liker.SignedUpAt, owner.user.SignedUpAt)
	var former *Like
	if f.Marks.Like != "" {
		former = new(f.mark())
	}
	return LikeStep{
		Like: Like{
			PostID: f.Post.PostID, LikedByUserID: liker.UserID, PostedByUserID: owner.UserID(),
			Status: status, LikedAt: latest(now, f.Post.PostedAt, since),
		},
		Blocks:     liker.BlocksVersion,
		Since:      since,
		AsFollower: owner.FollowersOnly(),
		Former:     former,
	}, nil
}

// checkLike refuses a like of the post. One given before stays through a time in which it
// could not be given.
func (f PostFacts) checkLike(owner *SeenUser, liker *User) error {
	f.Read.need(LikeMark, "post")
	owner.read.need(BlockedTie, "owner of a post")
	id, rel := f.Post.PostID, owner.rel
	switch {
	case rel.BlockedBy:
		return refusal.Forbiddenf("User has been blocked by owner of post `%s`", id)
	case rel.Blocks:
		return refusal.Forbiddenf("User has blocked owner of post `%s`", id)
	case !owner.Published():
		return refusal.Invalidf("User does not have access to post `%s`", id)
	case f.Post.Status != PostCompleted:
		return refusal.Invalidf("Cannot like posts with status `%s`", f.Post.Status)
	case On(f.Post.LikesDisabled):
		return refusal.Invalidf("Likes are disabled for this post `%s`", id)
	case !owner.LikesShown():
		// The parenthesis has never been closed, and clients match on the text.
		return refusal.Invalidf("Owner of this post (user `%s` has disabled likes", owner.UserID())
	case On(liker.LikesDisabled):
		return refusal.Invalidf("Caller `%s` has disabled likes", liker.UserID)
	case f.likedBy(liker):
		return refusal.Invalidf("User `%s` has already liked post `%s`", liker.UserID, id)
	default:
		return nil
	}
}

// GivenLike returns the viewer's like of the post, or an error if there is none.
func (f PostFacts) GivenLike(liker *User) (Like, error) {
	f.Read.need(LikeMark, "post")
	if !f.likedBy(liker) {
		return Like{}, refusal.Invalidf("User has not liked post `%s`, thus cannot dislike it", f.Post.PostID)
	}
	return f.mark(), nil
}

// likedBy reports whether liker, the viewer, likes the post, and no former profile of theirs.
func (f PostFacts) likedBy(liker *User) bool {
	return f.Marks.Like != "" && !liker.Former(f.Marks.LikedAt)
}

// mark is the viewer's like of the post as it is stored.
func (f PostFacts) mark() Like {
	return Like{
		PostID: f.Post.PostID, LikedByUserID: f.Viewer, PostedByUserID: f.Post.PostedByUserID,
		Status: f.Marks.Like, LikedAt: f.Marks.LikedAt,
	}
}

// Liked returns the facts after the viewer's like has changed to status.
func (f PostFacts) Liked(status LikeStatus) PostFacts {
	p := *f.Post
	p.countLikes(f.Marks.Like, -1)
	p.countLikes(status, 1)
	f.Post, f.Marks.Like, f.Marks.LikedAt = &p, status, time.Time{}
	return f
}

// countLikes adds n to the number of likes with a status, but not below zero.
func (p *Post) countLikes(status LikeStatus, n int) {
	switch status {
	case OnymouslyLiked:
		p.OnymousLikeCount = max(0, p.OnymousLikeCount+n)
	case AnonymouslyLiked:
		p.AnonymousLikeCount = max(0, p.AnonymousLikeCount+n)
	}
}

// mostLikesTold is the number of likes of a post up to which its owner gets a card for
// each.
const mostLikesTold = 9

// TellsLikes reports whether its owner gets a card after a change of the likes of the post to
// their present number.
func (p *Post) TellsLikes() bool {
	likes := p.OnymousLikeCount + p.AnonymousLikeCount
	return likes > 0 && likes <= mostLikesTold
}

// LikedPostsShown reports whether the viewer may see which posts the user likes with this
// status. Only users themselves see their anonymous likes.
func (s *SeenUser) LikedPostsShown(status LikeStatus) bool {
	return s.rel.self || status == OnymouslyLiked && !s.rel.BlockedBy
}

// LikeRemover removes likes between users.
type LikeRemover interface {
	// RemoveBetween removes a page of one user's likes of another's posts. It returns the
	// cursor of the next page, "" at the end, and the number of likes removed. Ended is called
	// once there are likes, and tells which of them are to go; nil stands for all.
	RemoveBetween(
		ctx context.Context, liker, owner UserID, cursor string, ended func(context.Context) (func(Like) bool, error),
	) (next string, removed int, err error)
}
