package social

import "time"

// CommentFacts are a comment and what concerns its viewer about it, read together. Only a
// store makes them; what a change makes of them is a method here.
type CommentFacts struct {
	// Viewer is for whom they were read, Read what was read besides the comment.
	Viewer UserID
	Read   Detail

	Comment *Comment
	// Flagged tells that the viewer reported the comment.
	Flagged bool
	// PostViewedAt is when the viewer last viewed the post; zero means never.
	PostViewedAt time.Time
}

// NewCommentFacts are the facts about a comment that the caller just wrote. Of the
// details that d asks for, they know what the comment itself can tell. It panics when the
// comment is somebody else's.
func NewCommentFacts(c Caller, comment *Comment, d Detail) CommentFacts {
	mine(c.Viewer, comment.UserID)
	return CommentFacts{Viewer: c.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Comment: comment}
}

// On adds what was read of the comment's post: when the viewer of both last viewed it.
func (f CommentFacts) On(p PostFacts) CommentFacts {
	if p.Viewer == f.Viewer && p.Post.PostID == f.Comment.PostID {
		f.Read, f.PostViewedAt = f.Read|p.Read&ViewMark, p.Marks.LastViewedAt
	}
	return f
}

// Users returns whom a reader of the comment meets: its author and, if they are shown,
// the users that its text mentions. A user may come up more than once.
func (f CommentFacts) Users() []UserID {
	ids := []UserID{f.Comment.UserID}
	if f.Read.Has(TaggedUsers) {
		ids = taggedUsers(ids, f.Comment.TextTags)
	}
	return ids
}

// See shows the comment to its viewer, who sees users as given. It returns nil when the
// author is gone. Whether they may see its post is not asked here.
func (f CommentFacts) See(users SeenUsers) *SeenComment {
	author := users.maker(f.Comment.UserID, f.Viewer, f.Comment.CommentedAt)
	if author == nil {
		return nil
	}
	s := &SeenComment{comment: f.Comment, author: author, flagged: f.Flagged, postViewedAt: f.PostViewedAt, read: f.Read}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Comment.TextTags, users)
	}
	return s
}
