package social

import (
	"errors"
	"time"
)

// HotFrom is the number of likes, comments or first views of a post within a second from which a
// process stores them together.
const HotFrom = 5

// PostType is the kind of content of a post. It never changes.
type PostType string

const (
	TextOnly  PostType = "TEXT_ONLY"
	ImagePost PostType = "IMAGE"
	VideoPost PostType = "VIDEO"
)

// PostStatus is the state of a post in its life cycle. Viewers other than the owner see
// only COMPLETED posts.
type PostStatus string

const (
	PostPending    PostStatus = "PENDING"
	PostProcessing PostStatus = "PROCESSING"
	PostCompleted  PostStatus = "COMPLETED"
	PostError      PostStatus = "ERROR"
	PostArchived   PostStatus = "ARCHIVED"
	// PostDeleting is shown only in the response to a deletion, when the row is already
	// gone.
	PostDeleting PostStatus = "DELETING"
)

// RemovedBy says who archived a post. Its values are stored.
type RemovedBy string

const (
	RemovedByAuthor    RemovedBy = "AUTHOR"
	RemovedByReports   RemovedBy = "REPORTS"
	RemovedByModerator RemovedBy = "MODERATOR"
	// RemovedByProgram stands for the content check.
	RemovedByProgram RemovedBy = "PROGRAM"
)

// Post is a stored post. Clients see it as a SeenPost.
//
// A nil switch was never chosen, which differs from false.
type Post struct {
	PostID         PostID     `dynamo:"postId"`
	PostedByUserID UserID     `dynamo:"postedByUserId"`
	Type           PostType   `dynamo:"postType"`
	Status         PostStatus `dynamo:"postStatus"`
	// StatusReason says why a post is in ERROR.
	StatusReason string `dynamo:"postStatusReason"`
	// RemovedBy is who archived the post; empty unless it is ARCHIVED, and for posts archived
	// before this was recorded.
	RemovedBy RemovedBy `dynamo:"removedBy"`
	PostedAt  time.Time `dynamo:"postedAt"`
	// KeptAt is when a moderator last decided to keep the post; zero if never, and after they
	// decided otherwise.
	KeptAt time.Time `dynamo:"keptAt"`
	// Held is set while the post waits for a moderator's decision because of the content check:
	// in PROCESSING if it has never been published, else in ARCHIVED.
	Held bool `dynamo:"held"`
	// Unchecked is set if the post was shown although its content check failed.
	Unchecked bool `dynamo:"unchecked"`
	// ExpiresAt is when the post is deleted; zero if never.
	ExpiresAt time.Time `dynamo:"expiresAt"`
	// AlbumID is the post's album, empty if none. AlbumRank is its position there: Unranked
	// unless the post is COMPLETED, 0 without an album.
	AlbumID   AlbumID `dynamo:"albumId"`
	AlbumRank float64 `dynamo:"albumRank,keyonly,zero"`
	// Text is empty if the post has none.
	Text     string    `dynamo:"text"`
	TextTags []TextTag `dynamo:"textTags"`
	// TextEditedAt is when the text was last changed; zero if never.
	TextEditedAt time.Time `dynamo:"textEditedAt"`
	// Keywords is nil if none were ever set, and empty if all were removed.
	Keywords []string `dynamo:"keywords"`

	// IsVerified is the verification status of the post's image as viewers see it; nil for
	// posts without an image and before verification.
	IsVerified *bool `dynamo:"isVerified"`
	// IsVerifiedHidden is the actual verdict while VerificationHidden makes IsVerified
	// true.
	IsVerifiedHidden *bool `dynamo:"isVerifiedHiddenValue"`
	// Checksum is the checksum of the image as shown; empty for other posts.
	Checksum string `dynamo:"checksum"`
	// SetAsUserPhoto is nil once the post is completed, and if it was not requested.
	SetAsUserPhoto *bool `dynamo:"setAsUserPhoto"`

	CommentsDisabled   *bool `dynamo:"commentsDisabled"`
	LikesDisabled      *bool `dynamo:"likesDisabled"`
	SharingDisabled    *bool `dynamo:"sharingDisabled"`
	VerificationHidden *bool `dynamo:"verificationHidden"`

	// OriginalPostID is the post whose image this one repeats; empty for originals.
	OriginalPostID PostID `dynamo:"originalPostId"`

	// ViewedByCount is the number of users other than the owner who have viewed the post.
	ViewedByCount         int `dynamo:"viewedByCount"`
	FlagCount             int `dynamo:"flagCount"`
	OnymousLikeCount      int `dynamo:"onymousLikeCount"`
	AnonymousLikeCount    int `dynamo:"anonymousLikeCount"`
	CommentCount          int `dynamo:"commentCount"`
	CommentsUnviewedCount int `dynamo:"commentsUnviewedCount"`
	// UnviewedCommentAt is the time of the newest comment that the owner has not viewed;
	// zero if all are viewed.
	UnviewedCommentAt time.Time `dynamo:"lastUnreadCommentAt,keyonly"`
}

// Expired reports whether the post has expired before now.
func (p *Post) Expired(now time.Time) bool { return !p.ExpiresAt.IsZero() && p.ExpiresAt.Before(now) }

// NotBefore returns a time, normally now, for what is written about the post or its owner:
// no earlier than the post, and so than the owner's profile.
func (p *Post) NotBefore(now time.Time) time.Time { return latest(now, p.PostedAt) }

// Outlives reports whether the post belongs to a former profile of its owner.
func (p *Post) Outlives(owner *User) bool { return owner.SignedUpAt.After(p.PostedAt) }

// HasFiles reports whether the post has files besides its row.
func (p *Post) HasFiles() bool { return p.Type != TextOnly }

// Shown reports whether the post has been published, even if it has been archived since, or could
// be, were it not held.
func (p *Post) Shown() bool { return p.Status == PostCompleted || p.Status == PostArchived || p.Held }

// Processing returns the post while its upload is processed.
func (p *Post) Processing() *Post {
	q := *p
	q.Status, q.StatusReason = PostProcessing, ""
	return &q
}

// ErrPostFailed is the error of an upload to a post that has failed.
var ErrPostFailed = errors.New("ignored: this post is in ERROR, which is final; delete it, and add another, which has an upload URL of its own")

// Failed returns the post after processing it has failed for good.
func (p *Post) Failed(reason string) *Post {
	q := *p
	q.Status, q.StatusReason = PostError, reason
	return &q
}

// Completed returns the post after it is first published.
func (p *Post) Completed() *Post {
	q := *p
	q.Status, q.StatusReason, q.SetAsUserPhoto = PostCompleted, "", nil
	return &q
}

// WithImage returns the post with the results of processing its image: the checksum, the
// verdict, and the first post with the same image, or "" if that is this one.
func (p *Post) WithImage(checksum string, verdict bool, original PostID) *Post {
	q := *p
	q.Checksum, q.IsVerified = checksum, &verdict
	if On(q.VerificationHidden) {
		q.IsVerified, q.IsVerifiedHidden = new(true), &verdict
	}
	q.OriginalPostID = original
	return &q
}

// TextAt is when the post got the text that it has.
func (p *Post) TextAt() time.Time { return latest(p.PostedAt, p.TextEditedAt) }
