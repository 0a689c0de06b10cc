package social

// CommentAdded: Author commented on a post of Owner.
type CommentAdded struct {
	CommentID CommentID
	PostID    PostID
	Owner     UserID
	Author    UserID
	// Mentions says that the comment mentions somebody, and BadWord that it has one: who
	// receives the event need not read the comment to learn that it is like most.
	Mentions, BadWord bool
}

func (CommentAdded) EventName() string     { return "comment.added" }
func (e CommentAdded) OrderingKey() string { return string(e.Owner) }

// CommentDeleted: a comment was taken off a post that is still there.
type CommentDeleted struct {
	CommentID CommentID
	PostID    PostID
	Owner     UserID
	Author    UserID
	// Unviewed says that it was among those that the owner had not viewed.
	Unviewed bool
}

// Event tells of the removal.
func (r CommentRemoval) Event() CommentDeleted {
	return CommentDeleted{
		CommentID: r.Comment.CommentID, PostID: r.Post.PostID, Owner: r.Post.PostedByUserID, Author: r.Comment.UserID, Unviewed: r.Unviewed,
	}
}

func (CommentDeleted) EventName() string     { return "comment.deleted" }
func (e CommentDeleted) OrderingKey() string { return string(e.Owner) }
