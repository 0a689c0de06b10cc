package social

import (
	"hash/fnv"
	"time"
)

// EventKind says what happened.
type EventKind string

const (
	// FollowMoved: the follow of FollowerUserID to UserID went from status FollowFrom to
	// FollowTo.
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
	FollowFrom     FollowStatus
	FollowTo       FollowStatus
	PostID         PostID
	PostFrom       PostStatus
	PostTo         PostStatus
}

// EventShards is in how many queues events wait for their delivery.
const EventShards = 4

// Shard is the queue of e, 0 to EventShards-1. All events about what one user owns
// share a queue and are delivered one after the other: a post's fan-out never runs
// beside the end of a follow that it has to mind.
func (e Event) Shard() int {
	h := fnv.New32a()
	h.Write([]byte(e.UserID))
	return int(h.Sum32() % EventShards)
}
