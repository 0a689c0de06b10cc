package social

// UserBlocked: Blocker blocked Blocked, which also ended the follows between them.
type UserBlocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
	// ByModerator is set if a moderator blocked somebody who is none.
	ByModerator bool
}

func (UserBlocked) EventName() string     { return "user.blocked" }
func (e UserBlocked) OrderingKey() string { return string(e.BlockedUserID) }

// UserUnblocked: Blocker unblocked Blocked.
type UserUnblocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
}

func (UserUnblocked) EventName() string     { return "user.unblocked" }
func (e UserUnblocked) OrderingKey() string { return string(e.BlockedUserID) }
