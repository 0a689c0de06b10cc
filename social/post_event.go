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
	// Mentioned are the users whom the text of a new post mentions.
	Mentioned []UserID `json:",omitempty"`
}

func (PostMoved) EventName() string     { return "post.moved" }
func (e PostMoved) OrderingKey() string { return string(e.UserID) }

// PostEdited: the owner of a post changed something about it.
type PostEdited struct {
	PostID PostID
	UserID UserID
	// Text says that the text is among the changes.
	Text bool
	// Mentioned are the users whom the text mentions now and did not before.
	Mentioned []UserID `json:",omitempty"`
}

func (PostEdited) EventName() string     { return "post.edited" }
func (e PostEdited) OrderingKey() string { return string(e.UserID) }
