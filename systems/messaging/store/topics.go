package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// TopicStore stores topics. Changes fail with refusal.Conflict if something has changed
// since it was read.
type TopicStore struct{ Reader }

// Create stores a topic with its first subscriptions, whose users must have active
// accounts.
func (s *TopicStore) Create(ctx context.Context, t *messaging.Topic, first []*messaging.Subscription, events ...outbox.Record) error {
	tx := s.db.NewTx()
	topics.Create(tx, topicItemOf(t))
	for _, sub := range first {
		subscriptions.Create(tx, subscriptionItem{Subscription: *sub})
		alive(tx, sub.User)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Describe stores the description of a topic, which must be as read.
func (s *TopicStore) Describe(ctx context.Context, before, after *messaging.Topic, events ...outbox.Record) error {
	tx := s.db.NewTx()
	unmoved(tx, before).Set("UpdatedAt", after.UpdatedAt).Set("Access", after.Access).Set("Public", after.Public)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// unmoved starts an update that requires the topic to have the description and owner read,
// and not to be deleted.
func unmoved(tx *keyspec.Tx, t *messaging.Topic) keyspec.Update {
	u := topics.Update(tx, topicKey(t.ID)).If("UpdatedAt = ? AND attribute_type(DeletedAt, ?)", t.UpdatedAt, isNull)
	if t.Owner != "" {
		u.If("Owner = ?", t.Owner)
	}
	return u
}

// Revive restores a deleted two-person topic with its subscriptions.
func (s *TopicStore) Revive(ctx context.Context, t *messaging.Topic, before, after []*messaging.Subscription, events ...outbox.Record) error {
	tx := s.db.NewTx()
	topic := topics.Update(tx, topicKey(t.ID)).If("NOT attribute_type(DeletedAt, ?)", isNull).
		Set("DeletedAt", nil).Set("State", stateOK).Set("UpdatedAt", t.UpdatedAt)
	for i := range before {
		move(tx, topic, before[i], after[i])
		alive(tx, after[i].User)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// End deletes a group at once: its row is kept without subscribers, or deleted if hard is
// set. The rest is removed later.
func (s *TopicStore) End(ctx context.Context, before, after *messaging.Topic, hard bool, events ...outbox.Record) error {
	tx := s.db.NewTx()
	if hard {
		topics.Delete(tx, topicKey(before.ID)).If("Owner = ? AND attribute_type(DeletedAt, ?)", before.Owner, isNull)
	} else {
		to := topicItemOf(after)
		topics.Update(tx, topicKey(before.ID)).If("Owner = ? AND attribute_type(DeletedAt, ?)", before.Owner, isNull).
			Set("DeletedAt", to.DeletedAt).Set("UpdatedAt", to.UpdatedAt).Set("State", to.State).Set("SubCount", 0)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Transfer makes the subscriber to whom a group was offered its owner, and withdraws offers to
// others. All subscriptions must be as read, and there must be no other offers.
func (s *TopicStore) Transfer(
	ctx context.Context, t *messaging.Topic, from, to messaging.SubscriptionChange, offers []messaging.SubscriptionChange, events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	topic := asListed(tx, t).Set("Owner", to.After.User)
	for _, c := range append([]messaging.SubscriptionChange{from, to}, offers...) {
		move(tx, topic, c.Before, c.After)
	}
	alive(tx, to.After.User)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Withdraw withdraws offers of a group before a transfer to the subscriber to, whom it must still
// be offered to, and updates the revision of the topic.
func (s *TopicStore) Withdraw(
	ctx context.Context, t *messaging.Topic, to *messaging.Subscription, offers []messaging.SubscriptionChange, events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	topic := asListed(tx, t)
	for _, c := range offers {
		move(tx, topic, c.Before, c.After)
	}
	asRead(subscriptions.Check(tx, subscriptionKey(to.SubscriptionRef)), to)
	err := ops.Commit(ctx, tx, events...)
	if err == nil {
		t.Revision += len(offers)
	}
	return stored.Concurrent(err)
}

// asListed starts an update that requires that no subscription to a group was changed since its
// topic was read, and that it has the same owner.
func asListed(tx *keyspec.Tx, t *messaging.Topic) keyspec.Update {
	return topics.Update(tx, topicKey(t.ID)).If("Owner = ? AND Revision = ? AND attribute_type(DeletedAt, ?)", t.Owner, t.Revision, isNull)
}
