package social

import "time"

// FollowStatusChanged: a follow changed its status. Its stored name is follow.moved.
type FollowStatusChanged struct {
	FollowerUserID UserID
	FollowedUserID UserID
	From           FollowStatus
	To             FollowStatus
	// At is when a follower was denied; zero for other changes, and in events of earlier versions.
	At time.Time `json:",omitzero"`
}

func (FollowStatusChanged) EventName() string { return "follow.moved" }

// ChangesFollows and ChangesRequests report whether the number of followers or of requests changed, and
// Ends whether the follower was denied or has left.
func (e FollowStatusChanged) ChangesFollows() bool {
	return (e.From == Following) != (e.To == Following)
}
func (e FollowStatusChanged) ChangesRequests() bool {
	return (e.From == FollowRequested) != (e.To == FollowRequested)
}
func (e FollowStatusChanged) Ends() bool { return e.To == NotFollowing || e.To == FollowDenied }

// OrderingKey is the pair: feeds, stories and likes of other followers are other rows. A
// change in requests also changes the one card in which the followed user reads their
// number, and waits for the changes of that user's other requests.
func (e FollowStatusChanged) OrderingKey() string {
	if e.From == FollowRequested || e.To == FollowRequested {
		return string(e.FollowedUserID)
	}
	return pairKey(e.FollowerUserID, e.FollowedUserID)
}
