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
	PostedAt       time.Time
	// Text is empty for posts without one.
	Text     string
	TextTags []TextTag
	// Keywords is nil when none were ever given and empty when all were taken away.
	Keywords []string

	CommentsDisabled   *bool
	LikesDisabled      *bool
	SharingDisabled    *bool
	VerificationHidden *bool

	OnymousLikeCount      int
	AnonymousLikeCount    int
	CommentCount          int
	CommentsUnviewedCount int
	// UnviewedCommentAt is the time of the newest comment that the owner has not
	// viewed; zero when all are viewed.
	UnviewedCommentAt time.Time
}

// PostFacts are a post and what the viewer who asked for it has left on it.
type PostFacts struct {
	Post  *Post
	Marks Marks
}

// Users returns whom a reader of p meets: its owner and, if d asks for them, the users
// that its text mentions. A user may come up more than once.
func (p *Post) Users(d Detail) []UserID {
	ids := []UserID{p.PostedByUserID}
	if d.Has(TaggedUsers) {
		ids = taggedUsers(ids, p.TextTags)
	}
	return ids
}

// See shows the post to the viewer who sees users as given, without asking whether
// that viewer may see it. It returns nil when the owner is not among users, being gone.
func (f PostFacts) See(users map[UserID]*SeenUser) *SeenPost {
	owner := users[f.Post.PostedByUserID]
	if owner == nil {
		return nil
	}
	return f.Post.See(owner, f.Marks, seeTags(f.Post.TextTags, users))
}

// Visible reports whether the viewer may see the post: owners see their posts in
// every status, others the completed ones of whoever publishes to them.
func (s *SeenPost) Visible() bool {
	return s.owner.IsSelf() || s.post.Status == PostCompleted && s.owner.Published()
}

// FollowersOnly reports whether the viewer needs to follow the owner to see the post.
func (s *SeenPost) FollowersOnly() bool {
	return !s.owner.IsSelf() && s.owner.user.Privacy == Private
}
