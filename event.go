package stoa

import "time"

// EventKind says what happened.
type EventKind string

const (
	// FollowMoved: the follow of FollowerUserID to UserID changed its status.
	FollowMoved EventKind = "follow.moved"
	// PostMoved: PostID of UserID went from status PostFrom ("" when it is new) to
	// PostTo.
	PostMoved EventKind = "post.moved"
	// UserOpened: UserID turned from private to public.
	UserOpened EventKind = "user.opened"
)

// Event is a fact that others act on. It is stored in the transaction that makes it
// true and delivered at least once afterwards, so whoever receives one must bring
// about the present state rather than repeat a step.
type Event struct {
	ID   string
	At   time.Time
	Kind EventKind

	UserID         UserID
	FollowerUserID UserID
	PostID         PostID
	PostFrom       PostStatus
	PostTo         PostStatus
}
