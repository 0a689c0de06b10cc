package store

import (
	"context"
	"slices"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/systems/messaging"
)

// Kinds of rows of others that may refer to a user.
const (
	tracesInVersions = "versions"
	tracesInTopics   = "topics"
	tracesInMessages = "messages"
)

// EraseTraces removes a former user from a page of the rows of others, and what was kept to
// refuse their tokens. It reads all rows, since nothing lists these.
func (s *AccountStore) EraseTraces(ctx context.Context, id messaging.UserID, cursor string) (_ string, rows int, err error) {
	kind, after, next := page.Lists([]string{tracesInVersions, tracesInTopics, tracesInMessages}, cursor)
	q := page.Query{First: page.Max, After: after}
	var more string
	switch kind {
	case tracesInVersions:
		b := s.db.NewBulk()
		versions.DeleteIn(b, versions.Key(string(id)))
		rows, err = 1, b.Run(ctx)
	case tracesInTopics:
		more, rows, err = stored.Sweep(ctx, s.db, topics, q, func(t topicItem) (*topicItem, bool) {
			is := t.Owner == id && !t.Exists()
			if is {
				t.Owner = ""
			}
			return &t, is
		})
	default: // those by the user are tombstones of nobody, or become ones
		more, rows, err = stored.Sweep(ctx, s.db, messages, q, func(m messageItem) (*messageItem, bool) {
			is := m.DeletedBy(id)
			m.DeletedFor = slices.DeleteFunc(slices.Clone(m.DeletedFor), func(other messaging.UserID) bool { return other == id })
			return &m, is
		}, func(u keyspec.Update, m messageItem) { u.If("size(DeletedFor) = ?", len(m.DeletedFor)) })
	}
	return next(more), rows, err
}

// By returns messages in groups by a user, deleted ones too. It reads all messages, since
// nothing lists those of a user, and pages may be empty.
func (s *MessageStore) By(ctx context.Context, id messaging.UserID, q page.Query) (found page.Page[*messaging.Message], err error) {
	items, next, err := messages.Scan(ctx, s.db, keyspec.Page{Limit: q.First, After: q.After})
	for i := range items {
		if items[i].From == id && items[i].Topic.Kind() == messaging.Group {
			found.Items = append(found.Items, items[i].message())
		}
	}
	found.Next = next
	return found, stored.ListError(err)
}

// Disown removes the publisher from messages that were deleted for everybody.
func (s *MessageStore) Disown(ctx context.Context, deleted []*messaging.Message) error {
	return s.each(ctx, deleted, nil, func(tx *keyspec.Tx, m *messaging.Message) {
		messages.Update(tx, messageKey(m.MessageRef)).Remove("From", "ClientId").If("NOT attribute_type(DeletedAt, ?)", isNull)
	})
}

// RemovePair deletes a two-person topic without messages, with both subscriptions.
func (s *SubscriptionStore) RemovePair(ctx context.Context, t messaging.TopicID) error {
	a, b, _ := t.Pair()
	tx := s.db.NewTx()
	topics.Delete(tx, topicKey(t))
	for _, id := range []messaging.UserID{a, b} {
		subscriptions.Delete(tx, subscriptionKey(messaging.SubscriptionRef{Topic: t, User: id}))
	}
	return stored.Concurrent(tx.Run(ctx))
}
