package social

import "time"

// UserCreated: a user got a profile, possibly again after a reset.
type UserCreated struct{ UserID UserID }

func (UserCreated) EventName() string     { return "user.created" }
func (e UserCreated) OrderingKey() string { return string(e.UserID) }

// UserChanged: a user changed their profile.
type UserChanged struct {
	UserID UserID
	// FormerUsername is set if the username changed.
	FormerUsername string `json:",omitempty"`
}

func (UserChanged) EventName() string     { return "user.changed" }
func (e UserChanged) OrderingKey() string { return string(e.UserID) }

// UserOpened: a user changed from private to public.
type UserOpened struct{ UserID UserID }

func (UserOpened) EventName() string     { return "user.opened" }
func (e UserOpened) OrderingKey() string { return string(e.UserID) }

// UserStatusMoved: an account changed its status, other than by its removal.
type UserStatusMoved struct {
	UserID   UserID
	From, To UserStatus
}

func (UserStatusMoved) EventName() string     { return "user.status_moved" }
func (e UserStatusMoved) OrderingKey() string { return string(e.UserID) }

// UserRemoved: a profile was reset or deleted. Everybody counts it as missing already; what
// receivers do is to clear away what it left, in FanOut lanes.
//
// The same user may have a new profile by the time that this arrives: what came into being
// after RemovedAt belongs to that one and stays, and its counters do not move.
type UserRemoved struct {
	UserID UserID
	// Username was theirs: the groups that they leave are told.
	Username string
	// RemovedAt is when the profile went, to the microsecond. A new profile of the user, and
	// all that belongs to it, is no older than that.
	RemovedAt time.Time
}

func (UserRemoved) EventName() string     { return "user.removed" }
func (e UserRemoved) OrderingKey() string { return string(e.UserID) }

// ContentForciblyRemoved: moderation archived a user's post, or deleted their comment or
// chat message. The event is stored in the transaction that also changes the user's forced
// counter, so that the account area decides on accurate counters.
type ContentForciblyRemoved struct {
	UserID UserID
	Kind   ContentKind
}

func (ContentForciblyRemoved) EventName() string     { return "content.forcibly_removed" }
func (e ContentForciblyRemoved) OrderingKey() string { return string(e.UserID) }

// ContentKind is a kind of content that moderation removes. Its values are stored as the
// reasons of bans.
type ContentKind string

// Kinds of content that count against their author when removed by force.
const (
	ForcedPosts        ContentKind = "posts"
	ForcedComments     ContentKind = "comments"
	ForcedChatMessages ContentKind = "chatMessages"
)
