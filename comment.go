package stoa

import "time"

// Comment is a comment as stored. Clients never get one: they get a SeenComment.
type Comment struct {
	CommentID   CommentID
	PostID      PostID
	UserID      UserID
	CommentedAt time.Time
	Text        string
	TextTags    []TextTag
}
