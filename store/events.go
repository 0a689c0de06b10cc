package store

import (
	"context"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/social"
)

// Outbox keeps events from the transaction that made them true until they are
// delivered.
type Outbox struct{ db *keyspec.DB }

// Pending returns the events of a shard in the order of their times.
func (s *Outbox) Pending(ctx context.Context, shard int, q page.Query) (page.Page[social.Event], error) {
	return list(ctx, s.db, events.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*eventItem).event)
}

// Done removes events of a shard; those already removed are ignored.
func (s *Outbox) Done(ctx context.Context, shard int, done []social.Event) error {
	b := s.db.NewBulk()
	for _, e := range done {
		events.DeleteIn(b, events.Key(strconv.Itoa(shard), keyspec.StampOf(e.At).String(), e.ID))
	}
	return b.Run(ctx)
}

func (i *eventItem) event() social.Event {
	return social.Event{
		ID:             i.ID,
		At:             i.At.Time(),
		Kind:           i.Kind,
		UserID:         i.UserID,
		FollowerUserID: i.FollowerUserID,
		FollowFrom:     i.FollowFrom,
		FollowTo:       i.FollowTo,
		PostID:         i.PostID,
		PostFrom:       i.PostFrom,
		PostTo:         i.PostTo,
	}
}
