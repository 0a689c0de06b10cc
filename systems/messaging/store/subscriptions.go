package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// SubscriptionStore stores subscriptions. Changes fail with refusal.Conflict if
// something has changed since it was read.
type SubscriptionStore struct{ Reader }

// Add stores a subscription to a topic, which must not be full. It fails with ErrTopicFull.
func (s *SubscriptionStore) Add(ctx context.Context, sub *messaging.Subscription, by messaging.Authority, events ...outbox.Record) error {
	tx := s.db.NewTx()
	subscriptions.Create(tx, subscriptionItem{Subscription: *sub})
	topic := topics.Update(tx, topicKey(sub.Topic)).Shift("Revision", 1).If("attribute_type(DeletedAt, ?)", isNull)
	require(tx, topic, by)
	if sub.Counts() {
		admit(topic)
	}
	alive(tx, sub.User)
	return full(ops.Commit(ctx, tx, events...), topic)
}

// require requires that an authority is as read.
func require(tx *keyspec.Tx, topic keyspec.Update, by messaging.Authority) {
	if by.Owner != "" {
		topic.If("Owner = ?", by.Owner)
	}
	if by.By != nil {
		asRead(subscriptions.Check(tx, subscriptionKey(by.By.SubscriptionRef)), by.By)
	}
}

// asRead requires that the state and the modes of a subscription are as read.
func asRead[W interface{ If(string, ...any) W }](w W, sub *messaging.Subscription) W {
	w = w.If("ModeWant = ? AND ModeGiven = ?", sub.Want, sub.Given)
	if sub.Active() {
		return w.If("attribute_type(DeletedAt, ?)", isNull)
	}
	return w.If("DeletedAt = ?", sub.DeletedAt)
}

// admit increments the number of subscribers of a topic that is not full.
func admit(topic keyspec.Update) {
	topic.Shift("SubCount", 1).If("SubCount < ?", messaging.MaxSubscribers)
}

// full returns ErrTopicFull if a transaction failed because the topic is full.
func full(err error, topic keyspec.Update) error {
	is := func(now *topicItem) bool { return now.Exists() && now.SubCount >= messaging.MaxSubscribers }
	return stored.Concurrent(err, stored.OnItem(messaging.ErrTopicFull, topics, topic, is))
}

// Change stores a changed subscription, whose state and modes must be as read. It fails
// with ErrTopicFull if it counts from now on and the topic is full.
func (s *SubscriptionStore) Change(ctx context.Context, before, after *messaging.Subscription, by messaging.Authority, events ...outbox.Record) error {
	tx := s.db.NewTx()
	topic := topics.Update(tx, topicKey(before.Topic)).If("attribute_type(DeletedAt, ?)", isNull)
	require(tx, topic, by)
	move(tx, topic, before, after)
	if !before.Active() {
		alive(tx, after.User)
	}
	return full(ops.Commit(ctx, tx, events...), topic)
}

// move changes a subscription, and the revision and the number of subscribers of its topic.
func move(tx *keyspec.Tx, topic keyspec.Update, before, after *messaging.Subscription) {
	change(tx, before, after)
	topic.Shift("Revision", 1)
	switch {
	case !before.Counts() && after.Counts():
		admit(topic)
	case before.Counts() && !after.Counts():
		topic.Shift("SubCount", -1)
	}
}

func change(tx *keyspec.Tx, before, after *messaging.Subscription) keyspec.Update {
	u := asRead(subscriptions.Update(tx, subscriptionKey(before.SubscriptionRef)), before)
	u.Set("UpdatedAt", after.UpdatedAt).Set("DeletedAt", after.DeletedAt).Set("ModeWant", after.Want).Set("ModeGiven", after.Given)
	if !after.Active() {
		u.Remove("Held") // nobody sees them any more
	}
	if before.Private != after.Private {
		u.Set("Private", after.Private)
	}
	return u
}

// Note stores a user's private note on a topic.
func (s *SubscriptionStore) Note(ctx context.Context, sub *messaging.Subscription) error {
	tx := s.db.NewTx()
	subscriptions.Update(tx, subscriptionKey(sub.SubscriptionRef)).Set("Private", sub.Private).Set("UpdatedAt", sub.UpdatedAt).
		If("attribute_type(DeletedAt, ?)", isNull)
	return stored.Concurrent(tx.Run(ctx))
}

// EndPair ends a subscription to a two-person topic, and the topic if the other subscription
// has ended as well: with its messages if emptied is set, or else for a user who still exists.
func (s *SubscriptionStore) EndPair(
	ctx context.Context, before, after, other *messaging.Subscription, t *messaging.Topic, emptied bool, events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	topic := topics.Update(tx, topicKey(t.ID)).If("attribute_type(DeletedAt, ?)", isNull)
	move(tx, topic, before, after)
	check := subscriptions.Check(tx, subscriptionKey(other.SubscriptionRef))
	if other.Active() {
		check.If("attribute_type(DeletedAt, ?)", isNull)
	} else {
		check.If("NOT attribute_type(DeletedAt, ?)", isNull)
		topic.Set("DeletedAt", t.DeletedAt).Set("State", stateDeleted).Set("UpdatedAt", t.UpdatedAt)
		if emptied {
			topic.Set("ClearId", t.SeqID).If("SeqId = ?", t.SeqID)
		} else {
			users.Check(tx, userKey(other.User)).Exists()
		}
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// EmptyPair hides all messages of a deleted two-person topic, which must be as read.
func (s *SubscriptionStore) EmptyPair(ctx context.Context, t *messaging.Topic, events ...outbox.Record) error {
	tx := s.db.NewTx()
	topics.Update(tx, topicKey(t.ID)).Set("ClearId", t.SeqID).
		If("ClearId = ? AND SeqId = ? AND NOT attribute_type(DeletedAt, ?)", t.ClearID, t.SeqID, isNull)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Close ends a subscription to a deleted topic.
func (s *SubscriptionStore) Close(ctx context.Context, sub *messaging.Subscription, at time.Time) error {
	tx := s.db.NewTx()
	change(tx, sub, sub.Ended(at))
	return stored.Concurrent(tx.Run(ctx))
}

// Remove deletes subscriptions that have ended.
func (s *SubscriptionStore) Remove(ctx context.Context, refs []messaging.SubscriptionRef) error {
	tx := s.db.NewTx()
	for _, r := range refs {
		subscriptions.Delete(tx, subscriptionKey(r))
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Of returns the subscriptions to a topic, in no particular order.
func (s *SubscriptionStore) Of(ctx context.Context, t messaging.TopicID, q page.Query) (page.Page[*messaging.Subscription], error) {
	return stored.List(ctx, s.db, subscriptions.Begins(ByTopic, string(t)), q, false, (*subscriptionItem).subscription)
}

// By returns a user's subscriptions that changed after a time, which may be zero, ordered
// by their last change.
func (s *SubscriptionStore) By(
	ctx context.Context,
	id messaging.UserID,
	since time.Time,
	q page.Query,
	newestFirst bool,
) (page.Page[*messaging.Subscription], error) {
	r := subscriptions.Begins(ByUserUpdatedAt, string(id))
	if !since.IsZero() {
		r = r.From(stamp.MilliOf(since.Add(time.Millisecond)))
	}
	return stored.List(ctx, s.db, r, q, newestFirst, (*subscriptionItem).subscription)
}
