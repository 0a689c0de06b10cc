package social

import "time"

// PostStatusChanged: the status of a post changed. From is "" for a new post, To is
// PostDeleting for a deleted one. The start of processing is not an event, as nothing
// follows from it. Its stored name is post.moved.
type PostStatusChanged struct {
	PostID PostID
	UserID UserID
	Type   PostType
	From   PostStatus
	To     PostStatus
	// At is when the status changed.
	At time.Time
	// Mentioned are the users mentioned in the text of a new post.
	Mentioned []UserID `json:",omitempty"`
	// OriginalPostID is the post whose image this one repeats; empty for originals.
	OriginalPostID PostID `json:",omitempty"`
	// SetAsUserPhoto is set if the post is completed for the first time and its image
	// should become the owner's photo, if permitted.
	SetAsUserPhoto bool
	// Unviewed is the number of comments on a deleted post that its owner had not viewed.
	Unviewed int `json:",omitempty"`
	// Liked is set if an archived post is restored before all of its likes have been removed.
	Liked bool `json:",omitempty"`
}

// First reports whether the post was completed for the first time.
func (e PostStatusChanged) First() bool {
	return e.To == PostCompleted && (e.From == "" || e.From == PostPending || e.From == PostProcessing)
}

// Showed reports whether the post has been visible to others, so that lists may contain it.
func (e PostStatusChanged) Showed() bool {
	return e.From != "" && e.From != PostPending && e.From != PostProcessing && e.From != PostError
}

func (PostStatusChanged) EventName() string     { return "post.moved" }
func (e PostStatusChanged) OrderingKey() string { return string(e.UserID) }

// PostEdited: the owner edited a post.
type PostEdited struct {
	PostID PostID
	UserID UserID
	// Text is set if the text has changed.
	Text bool
	// Mentioned are the users newly mentioned in the text.
	Mentioned []UserID `json:",omitempty"`
}

func (PostEdited) EventName() string     { return "post.edited" }
func (e PostEdited) OrderingKey() string { return string(e.UserID) }
