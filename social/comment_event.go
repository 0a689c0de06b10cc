package social

// CommentAdded: Author commented on a post of Owner.
type CommentAdded struct {
	CommentID CommentID
	PostID    PostID
	Owner     UserID
	Author    UserID
	// Mentions and BadWord say whether the comment has mentions and bad words, so that
	// receivers need not read the comment if it has neither.
	Mentions, BadWord bool
	// Uncounted is set if the card of the post's owner does not count the comment yet.
	Uncounted bool
}

func (CommentAdded) EventName() string     { return "comment.added" }
func (e CommentAdded) OrderingKey() string { return string(e.Owner) }

// MakesCards reports whether there are cards to make for the comment.
func (e CommentAdded) MakesCards() bool { return e.Mentions || e.Uncounted }

// Judged reports whether the comment may have to be removed.
func (e CommentAdded) Judged() bool { return e.BadWord }

// CommentDeleted: a comment was removed from a post that still exists.
type CommentDeleted struct {
	CommentID CommentID
	PostID    PostID
	Owner     UserID
	Author    UserID
	// Unviewed is set if the post's owner had not viewed the comment.
	Unviewed bool
	// Forced is set if moderation removed the comment.
	Forced bool `json:",omitempty"`
}

// Event returns the event for the removal.
func (r CommentRemoval) Event() CommentDeleted {
	return CommentDeleted{
		CommentID: r.Comment.CommentID, PostID: r.Post.PostID, Owner: r.Post.PostedByUserID, Author: r.Comment.UserID, Unviewed: r.Unviewed,
		Forced: r.Forced,
	}
}

func (CommentDeleted) EventName() string     { return "comment.deleted" }
func (e CommentDeleted) OrderingKey() string { return string(e.Owner) }
