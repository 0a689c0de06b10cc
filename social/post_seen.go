package social

import (
	"cmp"
	"time"

	"stoa/internal/kit/optional"
)

// TextTaggedUser is a mention with the mentioned user as the viewer sees them.
type TextTaggedUser struct {
	Tag  string
	User *SeenUser
}

// SeenPost is a post that a viewer may see, as they see it. Each method is a field of the
// API's Post; it returns nil for what the viewer may not know.
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
	return optional.IfSet(s.post.ExpiresAt)
}
func (s *SeenPost) Text() *string      { return shownIfSet(true, s.post.Text) }
func (s *SeenPost) Keywords() []string { return s.post.Keywords }

// Album returns the post's album, which everybody who sees the post may see.
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
	return cmp.Or(s.marks.Like, NotLiked)
}

func (s *SeenPost) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "post")
	return flagStatus(s.marks.Flagged)
}

// ViewedStatus returns VIEWED for the owner's own posts and for those of the user whom
// everybody follows initially.
func (s *SeenPost) ViewedStatus() ViewedStatus {
	s.read.need(ViewMark, "post")
	return viewedStatus(s.owner.IsSelf() || s.owner.followedByAll || !s.marks.LastViewedAt.IsZero())
}

func (s *SeenPost) CommentsDisabled() *bool { return new(On(s.post.CommentsDisabled)) }
func (s *SeenPost) SharingDisabled() *bool  { return new(On(s.post.SharingDisabled)) }

// LikesDisabled returns true for a post without a choice, although it can be liked: clients
// have always been told so.
func (s *SeenPost) LikesDisabled() *bool { return new(optional.Or(s.post.LikesDisabled, true)) }

func (s *SeenPost) VerificationHidden() *bool {
	return shownIf(s.owner.IsSelf(), On(s.post.VerificationHidden))
}

func (s *SeenPost) IsVerified() *bool { return s.post.IsVerified }

// LikesShown reports whether the viewer sees the likes of the post and their count, as
// owners do unless likes are disabled for the post or for all their posts.
func (s *SeenPost) LikesShown() bool {
	return s.owner.IsSelf() && !On(s.post.LikesDisabled) && s.owner.LikesShown()
}

func (s *SeenPost) OnymousLikeCount() *int { return shownIf(s.LikesShown(), s.post.OnymousLikeCount) }
func (s *SeenPost) AnonymousLikeCount() *int {
	return shownIf(s.LikesShown(), s.post.AnonymousLikeCount)
}

// CommentsShown reports whether comments of the post can be read.
func (s *SeenPost) CommentsShown() bool { return !On(s.post.CommentsDisabled) }

func (s *SeenPost) CommentCount() *int { return shownIf(s.CommentsShown(), s.post.CommentCount) }

// HasNewCommentActivity reports whether there are comments that the owner has not viewed.
func (s *SeenPost) HasNewCommentActivity() *bool {
	return shownIf(s.owner.IsSelf(), !s.post.UnviewedCommentAt.IsZero())
}

// CommentsCount returns the number of comments; for the owner, of those viewed or unviewed
// if a status is given.
func (s *SeenPost) CommentsCount(viewedStatus *ViewedStatus) *int {
	switch {
	case viewedStatus == nil:
		return s.CommentCount()
	case !s.owner.IsSelf() || !s.CommentsShown():
		return nil
	case *viewedStatus == NotViewed:
		return &s.post.CommentsUnviewedCount
	default:
		return new(s.post.CommentCount - s.post.CommentsUnviewedCount)
	}
}
