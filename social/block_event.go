package social

import "time"

// UserBlocked: Blocker blocked Blocked, which also ended the follows between them.
type UserBlocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
	// ByModerator is set if a moderator blocked somebody who is none.
	ByModerator bool
	// At is when they were blocked. Events of earlier versions lack it.
	At time.Time `json:",omitzero"`
}

func (UserBlocked) EventName() string { return "user.blocked" }

// OrderingKey is the pair, in whichever direction: a match is of both.
func (e UserBlocked) OrderingKey() string { return pairKey(e.BlockerUserID, e.BlockedUserID) }

// UserUnblocked: Blocker unblocked Blocked.
type UserUnblocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
}

func (UserUnblocked) EventName() string { return "user.unblocked" }

// OrderingKey is that of UserBlocked.
func (e UserUnblocked) OrderingKey() string { return pairKey(e.BlockerUserID, e.BlockedUserID) }

// pairKey is the ordering key of events about two users, whichever of them is named first.
func pairKey(a, b UserID) string { return string(min(a, b)) + "/" + string(max(a, b)) }
