package social

import "time"

// SeenComment is a comment as one viewer sees it. Each method is a field of the
// API's Comment. Marks and tags are there only if the reader asked for those
// details.
type SeenComment struct {
	comment *Comment
	author  *SeenUser
	flagged bool
	// postViewedAt is when the viewer last viewed the post; zero means never.
	postViewedAt time.Time
	tags         []TextTaggedUser
}

// See shows c to the viewer who sees its author as author, flagged it or not, and
// last viewed its post at postViewedAt.
func (c *Comment) See(author *SeenUser, flagged bool, postViewedAt time.Time, tags []TextTaggedUser) *SeenComment {
	return &SeenComment{comment: c, author: author, flagged: flagged, postViewedAt: postViewedAt, tags: tags}
}

func (s *SeenComment) CommentID() CommentID   { return s.comment.CommentID }
func (s *SeenComment) CommentedAt() time.Time { return s.comment.CommentedAt }
func (s *SeenComment) CommentedBy() *SeenUser { return s.author }
func (s *SeenComment) Text() string           { return s.comment.Text }

func (s *SeenComment) TextTaggedUsers() []TextTaggedUser { return s.tags }

func (s *SeenComment) FlagStatus() FlagStatus { return flagStatus(s.flagged) }

// ViewedStatus is VIEWED for authors, and for whoever viewed the post at or after
// the time of the comment.
func (s *SeenComment) ViewedStatus() ViewedStatus {
	return viewedStatus(s.author.IsSelf() || !s.postViewedAt.IsZero() && !s.postViewedAt.Before(s.comment.CommentedAt))
}
