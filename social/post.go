package social

import "time"

// PostType is what a post consists of. It never changes.
type PostType string

const (
	TextOnly  PostType = "TEXT_ONLY"
	ImagePost PostType = "IMAGE"
	VideoPost PostType = "VIDEO"
)

// PostStatus is where a post stands in its life. Others than its owner see only
// COMPLETED posts.
type PostStatus string

const (
	PostPending    PostStatus = "PENDING"
	PostProcessing PostStatus = "PROCESSING"
	PostCompleted  PostStatus = "COMPLETED"
	PostError      PostStatus = "ERROR"
	PostArchived   PostStatus = "ARCHIVED"
	// PostDeleting is shown only in the answer to a deletion: the row is gone by then.
	PostDeleting PostStatus = "DELETING"
)

// Post is a post as stored. Clients never get one: they get a SeenPost.
//
// Nil switches mean "never chosen", which differs from false.
type Post struct {
	PostID         PostID
	PostedByUserID UserID
	Type           PostType
	Status         PostStatus
	// StatusReason says why a post is in ERROR.
	StatusReason string
	PostedAt     time.Time
	// ExpiresAt is when the post is deleted; zero for never.
	ExpiresAt time.Time
	// AlbumID is the album that the post is in, empty for none, and AlbumRank its place
	// there: Unranked unless the post is COMPLETED, 0 without an album.
	AlbumID   AlbumID
	AlbumRank float64
	// Text is empty for posts without one.
	Text     string
	TextTags []TextTag
	// TextEditedAt is when the text was changed last, zero for one that never was.
	TextEditedAt time.Time
	// Keywords is nil when none were ever given and empty when all were taken away.
	Keywords []string

	// IsVerified is what viewers are shown of the verification of the post's image; nil
	// for posts without one, and until it is verified.
	IsVerified *bool
	// IsVerifiedHidden is the verdict while VerificationHidden shows true in its place.
	IsVerifiedHidden *bool
	// Checksum is that of the image as it is shown, empty for other posts.
	Checksum string
	// SetAsUserPhoto is nil once the post is completed, and when nobody asked.
	SetAsUserPhoto *bool

	CommentsDisabled   *bool
	LikesDisabled      *bool
	SharingDisabled    *bool
	VerificationHidden *bool

	// OriginalPostID is the post whose image this one repeats; empty for originals.
	OriginalPostID PostID

	// ViewedByCount is how many others than the owner have viewed the post.
	ViewedByCount         int
	FlagCount             int
	OnymousLikeCount      int
	AnonymousLikeCount    int
	CommentCount          int
	CommentsUnviewedCount int
	// UnviewedCommentAt is the time of the newest comment that the owner has not
	// viewed; zero when all are viewed.
	UnviewedCommentAt time.Time
}

// Expired reports whether the post has ended by a time.
func (p *Post) Expired(now time.Time) bool { return !p.ExpiresAt.IsZero() && !p.ExpiresAt.After(now) }

// Outlives reports whether the post was of a former profile of its owner, which is gone.
func (p *Post) Outlives(owner *User) bool { return owner.SignedUpAt.After(p.PostedAt) }

// HasFiles reports whether something of the post is kept beside its row.
func (p *Post) HasFiles() bool { return p.Type != TextOnly }

// Shown reports whether the post has been published, even if it was taken back since.
func (p *Post) Shown() bool { return p.Status == PostCompleted || p.Status == PostArchived }

// Processing returns the post as it is while its upload is processed.
func (p *Post) Processing() *Post {
	q := *p
	q.Status, q.StatusReason = PostProcessing, ""
	return &q
}

// Failed returns the post as it is once processing it has failed for good.
func (p *Post) Failed(reason string) *Post {
	q := *p
	q.Status, q.StatusReason = PostError, reason
	return &q
}

// Completed returns the post as it is once it is published for the first time.
func (p *Post) Completed() *Post {
	q := *p
	q.Status, q.StatusReason, q.SetAsUserPhoto = PostCompleted, "", nil
	return &q
}

// WithImage returns the post with what was found out about its image: the checksum, the
// verdict, and the post that has it and was posted first, "" when that is this one.
func (p *Post) WithImage(checksum string, verdict bool, original PostID) *Post {
	q := *p
	q.Checksum, q.IsVerified = checksum, &verdict
	if On(q.VerificationHidden) {
		q.IsVerified, q.IsVerifiedHidden = ptr(true), &verdict
	}
	q.OriginalPostID = original
	return &q
}
