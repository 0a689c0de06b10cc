package store

import (
	"context"
	"strconv"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Hold stores a message that others do not see, under the next number of those of its topic, and
// its case.
func (s *MessageStore) Hold(ctx context.Context, w messaging.Holding, events ...outbox.Record) error {
	tx, m := s.db.NewTx(), w.Message
	topic := topics.Update(tx, topicKey(m.Topic)).Shift("HeldId", 1).If("attribute_type(DeletedAt, ?)", isNull)
	if before := -m.Seq - 1; before > 0 {
		topic.If("HeldId = ?", before)
	} else {
		topic.If("attribute_not_exists(HeldId)")
	}
	subscriptions.Check(tx, subscriptionKey(w.Author.SubscriptionRef)).
		If("ModeWant = ? AND ModeGiven = ? AND attribute_type(DeletedAt, ?)", w.Author.Want, w.Author.Given, isNull)
	messages.Create(tx, messageItemOf(m))
	if w.Held != nil {
		subscriptions.Update(tx, subscriptionKey(w.Author.SubscriptionRef)).Set("Held", heldSet(w.Held))
	}
	alive(tx, w.Author.User)
	ops.TakeCase(tx, w.Case)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

func heldSet(numbers []int) (set keyspec.Set) {
	for _, n := range numbers {
		set = append(set, strconv.Itoa(n))
	}
	return set
}

// asHeld requires that the row of a message is that of a held one, or a tombstone, as it was read.
func asHeld[W interface{ If(string, ...any) W }](w W, was *messaging.Message) {
	if w.If("attribute_not_exists(PublishedAs)"); was.DeletedAt.IsZero() {
		w.If("attribute_type(DeletedAt, ?)", isNull)
	} else {
		w.If("NOT attribute_type(DeletedAt, ?)", isNull)
	}
}

// Withdraw deletes a held message, for its author if by is set.
func (s *MessageStore) Withdraw(ctx context.Context, m *messaging.Message, by *messaging.Subscription, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messages.Delete(tx, messageKey(m.MessageRef))
	if by != nil {
		asHeld(messages.Check(tx, messageKey(m.MessageRef)), m)
		noLonger(tx, m, by)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// noLonger takes a message from the list of those that are held for its author.
func noLonger(tx *keyspec.Tx, m *messaging.Message, author *messaging.Subscription) keyspec.Update {
	return subscriptions.Update(tx, subscriptionKey(author.SubscriptionRef)).Exclude("Held", strconv.Itoa(m.Seq)).
		If("attribute_type(DeletedAt, ?)", isNull)
}

// Reject replaces a held message by its stub. The case keeps it.
func (s *MessageStore) Reject(
	ctx context.Context, m, stub *messaging.Message, author *messaging.Subscription, decided desk.CaseStep, events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	asHeld(messages.Put(tx, messageItemOf(stub)), m)
	noLonger(tx, m, author)
	ops.TakeCase(tx, decided)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Release publishes a message that was held, or removed before others saw it, under the next number
// of its topic.
func (s *MessageStore) Release(ctx context.Context, w messaging.Releasing, events ...outbox.Record) error {
	tx := s.db.NewTx()
	publish(tx, w.Message)
	asHeld(messages.Put(tx, messageItemOf(w.Pointer())), w.Was)
	read, received := w.Read()
	noLonger(tx, w.Was, w.Author).Set("ReadSeqId", read).Set("RecvSeqId", received).
		If("ReadSeqId = ? AND RecvSeqId = ?", w.Author.ReadSeqID, w.Author.RecvSeqID)
	ops.TakeCase(tx, w.Case)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}
