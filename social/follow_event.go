package social

// FollowMoved: a follow changed its status.
type FollowMoved struct {
	FollowerUserID UserID
	FollowedUserID UserID
	From           FollowStatus
	To             FollowStatus
}

func (FollowMoved) EventName() string     { return "follow.moved" }
func (e FollowMoved) OrderingKey() string { return string(e.FollowedUserID) }
