package social

import (
	"context"
	"time"

	"stoa/internal/kit/page"
)

// FollowStatus is the state of one user's follow of another.
type FollowStatus string

const (
	// NotFollowing is the status without a record.
	NotFollowing    FollowStatus = "NOT_FOLLOWING"
	FollowRequested FollowStatus = "REQUESTED"
	Following       FollowStatus = "FOLLOWING"
	// FollowDenied is permanent for the follower, who can neither unfollow nor ask again.
	FollowDenied FollowStatus = "DENIED"
	// FollowSelf is the status of users with regard to themselves. It is never stored.
	FollowSelf FollowStatus = "SELF"
)

// Follow records that one user follows another, or has asked to.
type Follow struct {
	FollowerUserID UserID       `dynamo:"followerUserId"`
	FollowedUserID UserID       `dynamo:"followedUserId"`
	Status         FollowStatus `dynamo:"followStatus"`
	// FollowedAt is when the record was created. Accepting or denying a request does not
	// change it.
	FollowedAt time.Time `dynamo:"followedAt"`
}

// FollowAction is an event that changes a FollowStatus.
type FollowAction uint8

const (
	AskPublic FollowAction = iota + 1
	AskPrivate
	Accept
	Deny
	Leave
	// Open is the followed user's change from private to public.
	Open
	// Sever is a block in either direction, or the deletion of either account.
	Sever
)

type followMove struct {
	from   FollowStatus
	action FollowAction
}

// followMoves is the state machine. Pairs that are absent are not allowed.
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

// Next returns the status after the action, and whether the action is allowed.
func (s FollowStatus) Next(action FollowAction) (FollowStatus, bool) {
	next, ok := followMoves[followMove{s, action}]
	return next, ok
}

// FollowReader reads follows.
type FollowReader interface {
	// Pair returns the follow between two users, which is NotFollowing if there is no
	// record.
	Pair(ctx context.Context, follower, followed UserID) (Follow, error)
	// Followers returns the follows of a user by others of the given status, newest first.
	Followers(ctx context.Context, followed UserID, status FollowStatus, q page.Query) (page.Page[Follow], error)
}
