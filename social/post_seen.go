package social

import "time"

// TextTaggedUser is a mention with the mentioned user as the viewer sees them.
type TextTaggedUser struct {
	Tag  string
	User *SeenUser
}

// SeenPost is a post as one viewer sees it. Each method is a field of the API's
// Post; it answers nil where the viewer may not know. There is none of a post that the
// viewer may not see.
type SeenPost struct {
	post  *Post
	owner *SeenUser
	marks Marks
	album *Album
	image *PostImage
	tags  []TextTaggedUser
	read  Detail
	// original is nil unless OriginalPost was read.
	original *SeenPost
}

func (s *SeenPost) PostID() PostID         { return s.post.PostID }
func (s *SeenPost) PostedAt() time.Time    { return s.post.PostedAt }
func (s *SeenPost) PostedBy() *SeenUser    { return s.owner }
func (s *SeenPost) PostType() PostType     { return s.post.Type }
func (s *SeenPost) PostStatus() PostStatus { return s.post.Status }
func (s *SeenPost) ExpiresAt() *time.Time {
	return unless(s.post.ExpiresAt.IsZero(), s.post.ExpiresAt)
}
func (s *SeenPost) Text() *string      { return set(true, s.post.Text) }
func (s *SeenPost) Keywords() []string { return s.post.Keywords }

// Album is that of the post. Whoever sees the post sees it.
func (s *SeenPost) Album() *SeenAlbum {
	if s.read.need(PostAlbum, "post"); s.album == nil {
		return nil
	}
	return &SeenAlbum{album: s.album, owner: s.owner}
}

func (s *SeenPost) TextTaggedUsers() []TextTaggedUser {
	s.read.need(TaggedUsers, "post")
	return s.tags
}

func (s *SeenPost) LikeStatus() LikeStatus {
	s.read.need(LikeMark, "post")
	return orElse(s.marks.Like, NotLiked)
}

func (s *SeenPost) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "post")
	return flagStatus(s.marks.Flagged)
}

// ViewedStatus is VIEWED for the owner's own posts and for those of the user whom
// everybody follows from the start.
func (s *SeenPost) ViewedStatus() ViewedStatus {
	s.read.need(ViewMark, "post")
	return viewedStatus(s.owner.IsSelf() || s.owner.Username() == RealUsername || !s.marks.LastViewedAt.IsZero())
}

func (s *SeenPost) CommentsDisabled() *bool { return ptr(On(s.post.CommentsDisabled)) }
func (s *SeenPost) SharingDisabled() *bool  { return ptr(On(s.post.SharingDisabled)) }

// LikesDisabled shows true for a post on which nobody chose, although such a post
// can be liked: clients have always been told so.
func (s *SeenPost) LikesDisabled() *bool { return ptr(deref(s.post.LikesDisabled, true)) }

func (s *SeenPost) VerificationHidden() *bool {
	return unless(!s.owner.IsSelf(), On(s.post.VerificationHidden))
}

func (s *SeenPost) IsVerified() *bool { return s.post.IsVerified }

// LikesShown reports whether the viewer sees how many like the post, and who:
// owners do unless likes are off for the post or for all they post.
func (s *SeenPost) LikesShown() bool {
	return s.owner.IsSelf() && !On(s.post.LikesDisabled) && s.owner.LikesShown()
}

func (s *SeenPost) OnymousLikeCount() *int { return unless(!s.LikesShown(), s.post.OnymousLikeCount) }
func (s *SeenPost) AnonymousLikeCount() *int {
	return unless(!s.LikesShown(), s.post.AnonymousLikeCount)
}

// CommentsShown reports whether the post's comments can be read.
func (s *SeenPost) CommentsShown() bool { return !On(s.post.CommentsDisabled) }

func (s *SeenPost) CommentCount() *int { return unless(!s.CommentsShown(), s.post.CommentCount) }

// HasNewCommentActivity is whether the owner has not viewed all comments.
func (s *SeenPost) HasNewCommentActivity() *bool {
	return unless(!s.owner.IsSelf(), !s.post.UnviewedCommentAt.IsZero())
}

// CommentsCount counts the comments, or for owners those that they have or have not
// viewed.
func (s *SeenPost) CommentsCount(viewedStatus *ViewedStatus) *int {
	switch {
	case viewedStatus == nil:
		return s.CommentCount()
	case !s.owner.IsSelf() || !s.CommentsShown():
		return nil
	case *viewedStatus == NotViewed:
		return &s.post.CommentsUnviewedCount
	default:
		return ptr(s.post.CommentCount - s.post.CommentsUnviewedCount)
	}
}
