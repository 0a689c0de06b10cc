package store

import (
	"context"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// MessageStore stores messages and receipts. Changes fail with refusal.Conflict if
// something has changed since it was read.
type MessageStore struct{ Reader }

// Publish stores a message under the number after the last one of its topic, which also
// marks it as read by its sender. original is the message that it replaces, or nil.
func (s *MessageStore) Publish(
	ctx context.Context,
	m *messaging.Message,
	sender *messaging.Subscription,
	original *messaging.Message,
	events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	publish(tx, m)
	subscriptions.Update(tx, subscriptionKey(sender.SubscriptionRef)).Set("ReadSeqId", m.Seq).Set("RecvSeqId", m.Seq).
		If("ModeWant = ? AND ModeGiven = ? AND attribute_type(DeletedAt, ?)", sender.Want, sender.Given, isNull)
	if original != nil {
		messages.Check(tx, messageKey(original.MessageRef)).If("From = ? AND attribute_type(DeletedAt, ?)", original.From, isNull)
	}
	alive(tx, m.From)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// publish takes the next number of a topic.
func publish(tx *keyspec.Tx, m *messaging.Message) {
	topics.Update(tx, topicKey(m.Topic)).Set("SeqId", m.Seq).Set("TouchedAt", m.CreatedAt).
		If("SeqId = ? AND attribute_type(DeletedAt, ?)", m.Seq-1, isNull)
	messages.Create(tx, messageItemOf(m))
}

// Note stores a subscriber's receipt. The subscription must be as read.
func (s *MessageStore) Note(ctx context.Context, before, after *messaging.Subscription) error {
	tx := s.db.NewTx()
	subscriptions.Update(tx, subscriptionKey(before.SubscriptionRef)).Set("ReadSeqId", after.ReadSeqID).Set("RecvSeqId", after.RecvSeqID).
		If("ReadSeqId = ? AND RecvSeqId = ? AND attribute_type(DeletedAt, ?)", before.ReadSeqID, before.RecvSeqID, isNull)
	return stored.Concurrent(tx.Run(ctx))
}

// ClearOwn hides the messages of a topic from a subscriber. The subscription must be as
// read.
func (s *MessageStore) ClearOwn(ctx context.Context, before, after *messaging.Subscription, events ...outbox.Record) error {
	tx := s.db.NewTx()
	subscriptions.Update(tx, subscriptionKey(before.SubscriptionRef)).
		Set("ClearId", after.ClearID).Set("ReadSeqId", after.ReadSeqID).Set("RecvSeqId", after.RecvSeqID).
		If("ClearId < ? AND ReadSeqId = ? AND RecvSeqId = ? AND attribute_type(DeletedAt, ?)", after.ClearID, before.ReadSeqID, before.RecvSeqID, isNull)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Clear hides the messages of a topic up to a number from everybody.
func (s *MessageStore) Clear(ctx context.Context, t messaging.TopicID, upto int, events ...outbox.Record) error {
	tx := s.db.NewTx()
	topics.Update(tx, topicKey(t)).Set("ClearId", upto).If("ClearId < ? AND SeqId >= ? AND attribute_type(DeletedAt, ?)", upto, upto, isNull)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Erase replaces messages by tombstones, at most messaging.DeletedTogether.
func (s *MessageStore) Erase(ctx context.Context, erased []*messaging.Message, events ...outbox.Record) error {
	return s.each(ctx, erased, events, erase)
}

func erase(tx *keyspec.Tx, m *messaging.Message) {
	messages.Update(tx, messageKey(m.MessageRef)).Set("DeletedAt", m.DeletedAt).Set("UpdatedAt", m.UpdatedAt()).Set("Head", nil).Set("Content", nil).
		If("attribute_type(DeletedAt, ?)", isNull)
}

// Hide deletes messages, at most messaging.DeletedTogether, for a user who has not deleted them
// before.
func (s *MessageStore) Hide(ctx context.Context, hidden []*messaging.Message, id messaging.UserID, events ...outbox.Record) error {
	return s.each(ctx, hidden, events, func(tx *keyspec.Tx, m *messaging.Message) {
		messages.Update(tx, messageKey(m.MessageRef)).Append("DeletedFor", string(id)).If("NOT contains(DeletedFor, ?)", string(id))
	})
}

func (s *MessageStore) each(ctx context.Context, all []*messaging.Message, events []outbox.Record, write func(*keyspec.Tx, *messaging.Message)) error {
	tx := s.db.NewTx()
	for _, m := range all {
		write(tx, m)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// List returns the messages of a topic with numbers in a span; held ones have negative numbers.
func (s *MessageStore) List(
	ctx context.Context,
	t messaging.TopicID,
	in messaging.Span,
	q page.Query,
	newestFirst bool,
) (page.Page[*messaging.Message], error) {
	r := messages.Begins(keyspec.Primary, string(t))
	if q.After != "" {
		last, err := r.ItemBefore(q.After, newestFirst)
		switch {
		case err != nil:
			return page.Page[*messaging.Message]{}, stored.ListError(err)
		case last.Seq < in.Since && newestFirst: // all that follow were cleared meanwhile
			return page.Page[*messaging.Message]{}, nil
		case last.Seq < in.Since:
			q.After = ""
		}
	}
	if in.Since > 0 {
		r = r.From(strconv.Itoa(in.Since))
	}
	if in.Before > 0 {
		r = r.To(strconv.Itoa(in.Before - 1))
	}
	return stored.List(ctx, s.db, r, q, newestFirst, (*messageItem).message)
}

// Remove deletes the rows of messages.
func (s *MessageStore) Remove(ctx context.Context, refs []messaging.MessageRef) error {
	tx := s.db.NewTx()
	for _, r := range refs {
		messages.Delete(tx, messageKey(r))
	}
	return stored.Concurrent(tx.Run(ctx))
}
