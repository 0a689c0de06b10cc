package social

import "time"

// FollowStatus is how one user stands to another whom they might follow.
type FollowStatus string

const (
	// NotFollowing is the status of a pair without a record.
	NotFollowing    FollowStatus = "NOT_FOLLOWING"
	FollowRequested FollowStatus = "REQUESTED"
	Following       FollowStatus = "FOLLOWING"
	// FollowDenied stays on record: the follower can neither leave nor ask again.
	FollowDenied FollowStatus = "DENIED"
	// FollowSelf is only ever derived, for users looking at themselves.
	FollowSelf FollowStatus = "SELF"
)

// Follow is the directed relation of a follower to the user they follow.
type Follow struct {
	FollowerUserID UserID
	FollowedUserID UserID
	Status         FollowStatus
	// FollowedAt is when the record was made. Answers to a request do not change it.
	FollowedAt time.Time
}

// FollowAction is a step that a follow may take.
type FollowAction uint8

const (
	AskPublic FollowAction = iota + 1
	AskPrivate
	Accept
	Deny
	Leave
	// Open is the followed user turning from private to public.
	Open
	// Sever is a block in either direction, or the end of either account.
	Sever
)

type followMove struct {
	from   FollowStatus
	action FollowAction
}

// followMoves is the whole state machine: a pair that is absent is refused.
var followMoves = map[followMove]FollowStatus{
	{NotFollowing, AskPublic}:  Following,
	{NotFollowing, AskPrivate}: FollowRequested,
	{FollowRequested, Accept}:  Following,
	{FollowDenied, Accept}:     Following,
	{FollowRequested, Deny}:    FollowDenied,
	{Following, Deny}:          FollowDenied,
	{FollowRequested, Leave}:   NotFollowing,
	{Following, Leave}:         NotFollowing,
	{FollowRequested, Open}:    Following,
	{FollowDenied, Open}:       NotFollowing,
	{FollowRequested, Sever}:   NotFollowing,
	{Following, Sever}:         NotFollowing,
	{FollowDenied, Sever}:      NotFollowing,
}

// Next returns the status that action leads to from s, and whether the action is
// allowed at all.
func (s FollowStatus) Next(action FollowAction) (FollowStatus, bool) {
	next, ok := followMoves[followMove{s, action}]
	return next, ok
}
