package social

// FollowStatusChanged: a follow changed its status. Its stored name is follow.moved.
type FollowStatusChanged struct {
	FollowerUserID UserID
	FollowedUserID UserID
	From           FollowStatus
	To             FollowStatus
}

func (FollowStatusChanged) EventName() string     { return "follow.moved" }
func (e FollowStatusChanged) OrderingKey() string { return string(e.FollowedUserID) }
