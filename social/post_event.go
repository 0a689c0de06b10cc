package social

import "time"

// PostMoved: a post went from one status to another. From is "" when the post is new,
// To is PostDeleting when it is gone. That a post is being processed is no such event:
// nothing follows from it.
type PostMoved struct {
	PostID PostID
	UserID UserID
	Type   PostType
	From   PostStatus
	To     PostStatus
	// At is when that happened.
	At time.Time
	// Mentioned are the users whom the text of a new post mentions.
	Mentioned []UserID `json:",omitempty"`
	// OriginalPostID is the post whose image this one repeats; empty for originals.
	OriginalPostID PostID `json:",omitempty"`
	// SetAsUserPhoto says that the image of the post, completed for the first time, is to
	// become the owner's photo, if it may.
	SetAsUserPhoto bool
}

// First reports whether the post was completed, and had never been before.
func (e PostMoved) First() bool {
	return e.To == PostCompleted && (e.From == "" || e.From == PostPending || e.From == PostProcessing)
}

// Showed reports whether others could see the post before, so that it may be in lists.
func (e PostMoved) Showed() bool {
	return e.From != "" && e.From != PostPending && e.From != PostProcessing && e.From != PostError
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
