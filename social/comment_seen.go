package social

import "time"

// SeenComment is a comment as a viewer sees it. Each method is a field of the API's
// Comment.
type SeenComment struct {
	comment      *Comment
	author       *SeenUser
	flagged      bool
	postViewedAt time.Time
	tags         []TextTaggedUser
	read         Detail
}

// Listed reports whether lists show the comment to the viewer. They hide comments by
// authors who block the viewer, but the answer to a deletion does not. Those that are held are
// listed for their authors alone.
func (s *SeenComment) Listed() bool {
	return !s.author.Blocking() && (!s.comment.Held || s.author.IsSelf())
}

func (s *SeenComment) CommentID() CommentID   { return s.comment.CommentID }
func (s *SeenComment) CommentedAt() time.Time { return s.comment.CommentedAt }
func (s *SeenComment) CommentedBy() *SeenUser { return s.author }
func (s *SeenComment) Text() string           { return s.comment.Text }

func (s *SeenComment) TextTaggedUsers() []TextTaggedUser {
	s.read.need(TaggedUsers, "comment")
	return s.tags
}

func (s *SeenComment) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "comment")
	return flagStatus(s.flagged)
}

// ViewedStatus is VIEWED for the author, and for viewers who viewed the post at or after
// the time of the comment.
func (s *SeenComment) ViewedStatus() ViewedStatus {
	s.read.need(ViewMark, "comment")
	return viewedStatus(s.author.IsSelf() || !s.postViewedAt.IsZero() && !s.postViewedAt.Before(s.comment.CommentedAt))
}
