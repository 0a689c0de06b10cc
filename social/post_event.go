package social

import "time"

// PostMoved: a post went from one status to another. From is "" when the post is new,
// To is PostDeleting when it is gone.
type PostMoved struct {
	PostID PostID
	UserID UserID
	From   PostStatus
	To     PostStatus
	// At is when that happened.
	At time.Time
}

func (PostMoved) EventName() string     { return "post.moved" }
func (e PostMoved) OrderingKey() string { return string(e.UserID) }

// PostEdited: the owner of a post changed something about it.
type PostEdited struct {
	PostID PostID
	UserID UserID
	// Text says that the text is among the changes.
	Text bool
}

func (PostEdited) EventName() string     { return "post.edited" }
func (e PostEdited) OrderingKey() string { return string(e.UserID) }
