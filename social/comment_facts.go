package social

import (
	"context"
	"time"
)

// CommentFacts are a comment and the viewer's marks on it, read together. Only a store
// creates them; methods here return the facts after a change.
type CommentFacts struct {
	// Viewer is the viewer they were read for, Read the details that were read.
	Viewer UserID
	Read   Detail

	Comment *Comment
	// Flagged is set if the viewer flagged the comment, FlaggedAt is when.
	Flagged   bool
	FlaggedAt time.Time
	// PostViewedAt is when the viewer last viewed the post; zero means never.
	PostViewedAt time.Time
}

// CommentReader reads comments.
type CommentReader interface {
	// Comment returns a comment, or nil if it does not exist.
	Comment(ctx context.Context, id CommentID) (*Comment, error)
}

// NewCommentFacts returns the facts of a comment that the caller has just written, with
// those details in d that follow from the comment itself. It panics if the caller is not
// its author.
func NewCommentFacts(c Caller, comment *Comment, d Detail) CommentFacts {
	mine(c.Viewer, comment.UserID)
	return CommentFacts{Viewer: c.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Comment: comment}
}

// On adds what was read about the comment's post: when the viewer last viewed it.
func (f CommentFacts) On(p PostFacts) CommentFacts {
	if p.Viewer == f.Viewer && p.Post.PostID == f.Comment.PostID {
		f.Read, f.PostViewedAt = f.Read|p.Read&ViewMark, p.Marks.LastViewedAt
	}
	return f
}

// Users returns the users that a reader of the comment sees.
func (f CommentFacts) Users() []UserID { return f.Comment.Users(f.Read) }

// See returns the comment as its viewer sees it, or nil if its author no longer exists. It
// does not check whether the viewer may see the post.
func (f CommentFacts) See(users SeenUsers) *SeenComment {
	author := users.maker(f.Comment.UserID, f.Viewer, f.Comment.CommentedAt)
	if author == nil {
		return nil
	}
	s := &SeenComment{comment: f.Comment, author: author, flagged: f.Flagged && !author.left(f.FlaggedAt), read: f.Read}
	if !author.left(f.PostViewedAt) {
		s.postViewedAt = f.PostViewedAt
	}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Comment.TextTags, users, f.Comment.CommentedAt)
	}
	return s
}
