package social

// UserBlocked: Blocker blocks Blocked. The follows between them have ended with it.
type UserBlocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
}

func (UserBlocked) EventName() string     { return "user.blocked" }
func (e UserBlocked) OrderingKey() string { return string(e.BlockedUserID) }

// UserUnblocked: Blocker blocks Blocked no longer.
type UserUnblocked struct {
	BlockerUserID UserID
	BlockedUserID UserID
}

func (UserUnblocked) EventName() string     { return "user.unblocked" }
func (e UserUnblocked) OrderingKey() string { return string(e.BlockedUserID) }
