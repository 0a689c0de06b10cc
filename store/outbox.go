package store

import (
	"strconv"

	"stoa"
	"stoa/internal/kit/keyspec"
)

// An event waits here from the transaction that made it true until everybody has
// received it. The events of a shard are delivered in the order of their times.
var events = keyspec.Define[eventItem](Ops, keyspec.Row{
	Key: keyspec.K("outbox/{shard}", "{at}/{id}"),
})

type eventItem struct {
	Shard          string            `dynamo:"shard,keyonly"`
	At             keyspec.Stamp     `dynamo:"at,keyonly"`
	ID             string            `dynamo:"id,keyonly"`
	Kind           stoa.EventKind    `dynamo:"kind"`
	UserID         stoa.UserID       `dynamo:"userId"`
	FollowerUserID stoa.UserID       `dynamo:"followerUserId"`
	FollowFrom     stoa.FollowStatus `dynamo:"followFrom"`
	FollowTo       stoa.FollowStatus `dynamo:"followTo"`
	PostID         stoa.PostID       `dynamo:"postId"`
	PostFrom       stoa.PostStatus   `dynamo:"postFrom"`
	PostTo         stoa.PostStatus   `dynamo:"postTo"`
}

// record stores an event with the change that makes it true.
func record(tx *keyspec.Tx, e stoa.Event) {
	events.Create(tx, eventItem{
		Shard:          strconv.Itoa(e.Shard()),
		At:             keyspec.StampOf(e.At),
		ID:             e.ID,
		Kind:           e.Kind,
		UserID:         e.UserID,
		FollowerUserID: e.FollowerUserID,
		FollowFrom:     e.FollowFrom,
		FollowTo:       e.FollowTo,
		PostID:         e.PostID,
		PostFrom:       e.PostFrom,
		PostTo:         e.PostTo,
	})
}
