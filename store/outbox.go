package store

import (
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// An event waits here from the transaction that made it true until everybody has
// received it. The events of a shard are delivered in the order of their times.
var events = keyspec.Define[eventItem](Ops, keyspec.Row{
	Key: keyspec.K("outbox/{shard}", "{at}/{id}"),
})

type eventItem struct {
	Shard          string              `dynamo:"shard,keyonly"`
	At             keyspec.Stamp       `dynamo:"at,keyonly"`
	ID             string              `dynamo:"id,keyonly"`
	Kind           social.EventKind    `dynamo:"kind"`
	UserID         social.UserID       `dynamo:"userId"`
	FollowerUserID social.UserID       `dynamo:"followerUserId"`
	FollowFrom     social.FollowStatus `dynamo:"followFrom"`
	FollowTo       social.FollowStatus `dynamo:"followTo"`
	PostID         social.PostID       `dynamo:"postId"`
	PostFrom       social.PostStatus   `dynamo:"postFrom"`
	PostTo         social.PostStatus   `dynamo:"postTo"`
}

// record stores an event with the change that makes it true.
func record(tx *keyspec.Tx, e social.Event) {
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
