package store

import (
	"context"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// MessageStore stores messages, and read positions of members. Changes fail with
// Conflict if something has changed since it was read.
type MessageStore struct{ Reader }

// Send stores a message that is later than all others of its chat. If the author has sent
// one with the same client id, it fails with Sent.
func (s *MessageStore) Send(ctx context.Context, w communities.Sending, events ...outbox.Record) error {
	m := w.Message
	tx := s.db.NewTx()
	var once keyspec.Write
	if m.ClientID != "" {
		once = clientIDs.Create(tx, clientIDItemOf(m))
	}
	messagesOf(m.Chat.Type).Create(tx, messageItemOf(m))
	chat := unchangedSince(updateChat(tx, w.Chat.ChatRef), w.Chat)
	if m.Held {
		chat.Set("LastHeldAt", m.At)
	} else {
		chat.Set("LastMessageAt", m.At)
	}
	if m.Chat.Type == communities.Group && w.Members != nil {
		chat.If("NumMembers = ?", len(w.Members))
	}
	checkMember(tx, communities.MemberRef{Chat: m.Chat, UserID: m.AuthorID})
	key := communities.MessageKey(m.Moment)
	for _, member := range w.Members {
		update := updateMember(tx, member.MemberRef).Set("CountedKey", key)
		if m.Counts(member.UserID) {
			update.Shift("UnreadCount", 1).If("LastReadKey < ?", key)
		}
	}
	alive(tx, m.AuthorID)
	if w.Case != nil {
		ops.TakeCase(tx, *w.Case)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.ByItem(clientIDs, once, (*clientIDItem).sent))
}

// Edit stores the new content of a message that is not deleted. in is the step of its case if it
// is held, and otherwise nil.
func (s *MessageStore) Edit(ctx context.Context, m *communities.Message, in *desk.CaseStep, events ...outbox.Record) error {
	tx := s.db.NewTx()
	u := messagesOf(m.Chat.Type).Update(tx, messageKey(m.MessageRef)).Set("Content", m.Content).Set("Editted", true).
		Set("EditedAt", m.EditedAt).If("Deleted = ? AND AuthorId = ?", false, m.AuthorID)
	asHeld(u, m)
	if m.Unchecked {
		u.Set("Unchecked", true)
	} else {
		u.Remove("Unchecked")
	}
	if in != nil {
		ops.TakeCase(tx, *in)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Delete replaces a message by a tombstone. unread are the members who have not read it, as
// they were read; each has one unread message less.
func (s *MessageStore) Delete(
	ctx context.Context, m *communities.Message, unread []*communities.Member, c *communities.Chat, decided *desk.CaseStep, events ...outbox.Record,
) error {
	tx := s.db.NewTx()
	asHeld(messagesOf(m.Chat.Type).Put(tx, messageItemOf(m.Tombstone())).
		If("Deleted = ? AND Content = ? AND Read = ?", false, m.Content, m.Read), m)
	for _, member := range unread {
		updateMember(tx, member.MemberRef).Shift("UnreadCount", -1).Shift("LoweredCount", 1).
			If("LastReadKey = ? AND CountedKey = ? AND UnreadCount = ?", member.Read, member.Counted, member.Unread)
	}
	sameMembers(tx, m, c)
	if decided != nil {
		ops.TakeCase(tx, *decided)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// sameMembers requires that the members of a group chat are as read. c is nil if that does not
// matter.
func sameMembers(tx *keyspec.Tx, m *communities.Message, c *communities.Chat) {
	if m.Chat.Type == communities.Group && c != nil {
		groupChats.Check(tx, groupChatKey(m.Chat.ID)).If("NumMembers = ?", c.NumMembers)
	}
}

// asHeld requires that a message is held, or not, as it was read.
func asHeld[W interface{ If(string, ...any) W }](w W, m *communities.Message) {
	if m.Held {
		w.If("Held = ?", true)
	} else {
		w.If("attribute_not_exists(Held)")
	}
}

// Return shows a message that was held, or replaces its tombstone by it. Those who have not read
// it must be as they were read; each has one more unread message.
func (s *MessageStore) Return(ctx context.Context, w communities.Returning, events ...outbox.Record) error {
	tx := s.db.NewTx()
	m := w.Message
	if w.Was.Deleted {
		asHeld(messagesOf(m.Chat.Type).Put(tx, messageItemOf(m)).If("Deleted = ?", true), w.Was)
	} else {
		asHeld(messagesOf(m.Chat.Type).Update(tx, messageKey(m.MessageRef)).Remove("Held").
			If("Deleted = ? AND Content = ?", false, w.Was.Content), w.Was)
	}
	for _, member := range w.Unread {
		updateMember(tx, member.MemberRef).Shift("UnreadCount", 1).Shift("LoweredCount", 1).
			If("LastReadKey = ? AND CountedKey = ? AND UnreadCount = ?", member.Read, member.Counted, member.Unread)
	}
	if m.At.After(w.Chat.LastMessageAt) {
		chat := unchangedSince(updateChat(tx, w.Chat.ChatRef), w.Chat).Set("LastMessageAt", m.At)
		if m.Chat.Type == communities.Group && w.Counted {
			chat.If("NumMembers = ?", w.Chat.NumMembers)
		}
	} else if w.Counted {
		sameMembers(tx, m, w.Chat)
	}
	ops.TakeCase(tx, w.Case)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Report stores a report of a message that is not deleted, with its case.
func (s *MessageStore) Report(ctx context.Context, m *communities.Message, r desk.Reporting, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messagesOf(m.Chat.Type).Check(tx, messageKey(m.MessageRef)).If("Deleted = ?", false)
	checkMember(tx, communities.MemberRef{Chat: m.Chat, UserID: r.Report.By})
	ops.AddReport(tx, r)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Keep stores the decision to keep a message, which must not have been deleted.
func (s *MessageStore) Keep(ctx context.Context, m *communities.Message, decided desk.CaseStep, events ...outbox.Record) error {
	tx := s.db.NewTx()
	asHeld(messagesOf(m.Chat.Type).Check(tx, messageKey(m.MessageRef)).If("Deleted = ?", false), m)
	ops.TakeCase(tx, decided)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// React sets a member's reaction to a message that is not deleted.
func (s *MessageStore) React(ctx context.Context, m *communities.Message, r communities.Reaction, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messagesOf(m.Chat.Type).Update(tx, messageKey(m.MessageRef)).If("Deleted = ?", false).
		SetIn(inReactions(r.UserID), r)
	checkMember(tx, communities.MemberRef{Chat: m.Chat, UserID: r.UserID})
	alive(tx, r.UserID)
	reactedTo.Put(tx, reactedItemOf(m.MessageRef, r.UserID))
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Unreact removes a user's reaction. It fails with ErrNoReaction.
func (s *MessageStore) Unreact(ctx context.Context, m *communities.Message, id communities.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	message := messagesOf(m.Chat.Type).Update(tx, messageKey(m.MessageRef)).RemoveIn(inReactions(id)).
		If("Deleted = ? AND attribute_exists(Reactions.@)", false, string(id))
	item := reactedItemOf(m.MessageRef, id)
	reactedTo.Delete(tx, reactedTo.KeyOf(&item))
	there := func(now *messageItem) bool { return !now.Deleted }
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.OnItem(communities.ErrNoReaction, messagesOf(m.Chat.Type), message, there))
}

// Reacted returns the messages that a user has reacted to. Some may be gone.
func (s *MessageStore) Reacted(ctx context.Context, id communities.UserID, q page.Query) (page.Page[communities.MessageRef], error) {
	return stored.List(ctx, s.db, reactedTo.Begins(keyspec.Primary, string(id)), q, false, (*reactedItem).ref)
}

// ForgetReaction removes the reaction of a deleted user.
func (s *MessageStore) ForgetReaction(ctx context.Context, m communities.MessageRef, id communities.UserID) error {
	tx := s.db.NewTx()
	message := messagesOf(m.Chat.Type).Update(tx, messageKey(m)).RemoveIn(inReactions(id)).If("attribute_exists(Reactions.@)", string(id))
	err := tx.Run(ctx)
	if err != nil && !keyspec.Refused(err, message) {
		return err
	}
	item := reactedItemOf(m, id)
	tx = s.db.NewTx()
	reactedTo.Delete(tx, reactedTo.KeyOf(&item))
	return tx.Run(ctx)
}

// MarkRead stores that messages were read, and the reader's new position. New messages do
// not interfere: they only raise the count, which is lowered by what the reader has passed.
// It fails with Conflict if the position was changed, or the count was lowered.
func (s *MessageStore) MarkRead(ctx context.Context, read []*communities.Message, m *communities.Member, to communities.Mark) error {
	tx := s.db.NewTx()
	for _, message := range read {
		messagesOf(message.Chat.Type).Update(tx, messageKey(message.MessageRef)).Set("Read", true)
	}
	switch {
	case to.Read == m.Read:
	case to.Read >= m.Counted: // everything counted is read
		updateMember(tx, m.MemberRef).Set("LastReadKey", to.Read).Set("CountedKey", to.Read).Set("UnreadCount", 0).
			If("LastReadKey < ? AND CountedKey <= ?", to.Read, to.Read)
	default:
		member := updateMember(tx, m.MemberRef).Set("LastReadKey", to.Read).If("LastReadKey = ?", m.Read)
		if to.Passed != 0 {
			member.Shift("UnreadCount", -to.Passed)
		}
		if m.Lowered == 0 {
			member.If("attribute_not_exists(LoweredCount)")
		} else {
			member.If("LoweredCount = ?", m.Lowered)
		}
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Count raises the unread counts of members for a message, unless they have counted or read
// it. It fails with Conflict if the message was deleted or shown meanwhile, and may be repeated.
func (s *MessageStore) Count(ctx context.Context, m *communities.Message, members []*communities.Member) error {
	key := communities.MessageKey(m.Moment)
	tx := s.db.NewTx()
	asHeld(messagesOf(m.Chat.Type).Check(tx, messageKey(m.MessageRef)).If("Deleted = ?", m.Deleted), m)
	for _, member := range members {
		if member.Counted >= key {
			continue
		}
		update := updateMember(tx, member.MemberRef).Set("CountedKey", key).
			If("LastReadKey = ? AND CountedKey = ? AND UnreadCount = ?", member.Read, member.Counted, member.Unread)
		if m.Counts(member.UserID) && member.Read < key {
			update.Shift("UnreadCount", 1)
		}
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Recount stores the unread counts of members, who must be as read.
func (s *MessageStore) Recount(ctx context.Context, members []*communities.Member, unread []int) error {
	tx := s.db.NewTx()
	for i, m := range members {
		if m.Unread != unread[i] {
			updateMember(tx, m.MemberRef).Set("UnreadCount", unread[i]).Shift("LoweredCount", 1).
				If("LastReadKey = ? AND CountedKey = ? AND UnreadCount = ?", m.Read, m.Counted, m.Unread)
		}
	}
	return stored.Concurrent(tx.Run(ctx))
}

// List returns the messages of a chat within a span.
func (s *MessageStore) List(
	ctx context.Context,
	c communities.ChatRef,
	in communities.Span,
	q page.Query,
	newestFirst bool,
) (page.Page[*communities.Message], error) {
	r := messagesOf(c.Type).Begins(keyspec.Primary, string(c.ID))
	if !in.After.IsZero() {
		r = r.From(endOf(in.After))
	}
	if !in.Before.IsZero() {
		r = r.To(endOf(in.Before.Add(-time.Nanosecond)))
	}
	return stored.List(ctx, s.db, r, q, newestFirst, func(i *messageItem) *communities.Message { return i.message(c.Type) })
}

// lastTime is the last time with a year of four digits. Texts of later times sort before it, and no
// message is later.
var lastTime = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)

// endOf returns a key after those of all messages up to a time.
func endOf(at time.Time) string {
	if at.After(lastTime) {
		at = lastTime
	}
	return stamp.MilliOf(at) + "#~"
}

// Since returns the messages of a chat after a key, oldest first.
func (s *MessageStore) Since(ctx context.Context, c communities.ChatRef, key string, q page.Query) (page.Page[*communities.Message], error) {
	r := messagesOf(c.Type).Begins(keyspec.Primary, string(c.ID)).From(bareKey(key) + "!")
	return stored.List(ctx, s.db, r, q, false, func(i *messageItem) *communities.Message { return i.message(c.Type) })
}
