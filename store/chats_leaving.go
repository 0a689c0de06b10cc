package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// maxMessagesRemoved is the maximum number of messages that a transaction can remove, each
// with a counter of its author.
const maxMessagesRemoved = 50

// Edit replaces a message by its edited version, and stores e. in is the step of its case if it is
// held, and otherwise nil. It fails with Conflict if the message no longer exists.
func (s *Chats) Edit(ctx context.Context, before, after *social.ChatMessage, in *desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	chatMessages.Change(tx, storedMessage(before), storedMessage(after)).If("createdAt = ?", before.CreatedAt)
	if in != nil {
		ops.TakeCase(tx, *in)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Unsay removes a message from the chat of a step, updates all counters, and stores e. It
// fails with Conflict if the message no longer exists, a newer one has been added, a member
// has viewed the chat since, or the author no longer has the profile.
func (s *Chats) Unsay(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		unsay(tx, of, step, m)
		ops.Record(tx, e...)
	}))
}

// ForceOut removes a message against its author's will. It does what Unsay does and also
// counts the forced deletion. It also fails with Conflict if the text, the flags or the members
// have changed since the decision.
func (s *Chats) ForceOut(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		removed := unsay(tx, of, step, m)
		asCounted(removed, "flagCount", m.FlagCount)
		asEdited(removed, m)
		chats.Check(tx, chatKey(m.ChatID)).If("userCount = ?", step.Before.UserCount)
		if !step.AuthorGone {
			profiles.Update(tx, profileKey(m.UserID)).Shift("chatMessagesForcedDeletionCount", 1)
		}
		takeCase(tx, step)
		ops.Record(tx, e...)
	}))
}

// asEdited is the condition that a message has the text that was read.
func asEdited(on keyspec.Write, m *social.ChatMessage) {
	if m.LastEditedAt.IsZero() {
		on.If("attribute_not_exists(lastEditedAt)")
		return
	}
	on.If("lastEditedAt = ?", m.LastEditedAt)
}

// Flag stores a flag of a chat. It fails with Conflict if the chat no longer exists, or its
// flags or members have changed.
func (s *Chats) Flag(ctx context.Context, c *social.Chat, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	at := c.CreatedAt
	asCounted(chats.Update(tx, chatKey(c.ChatID)).If("createdAt = ? AND userCount = ?", at, c.UserCount), "flagCount", c.FlagCount)
	flagRowsOf[social.FlagOnChat].add(tx, flag, at)
	ops.TakeCase(tx, report)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// FlagMessage stores a flag of a message in a chat. It fails with Conflict if either no
// longer exists, or the flags or members have changed.
func (s *Chats) FlagMessage(ctx context.Context, in *social.Chat, m *social.ChatMessage, flag social.Flag, report desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	at := m.CreatedAt
	asCounted(chatMessages.Update(tx, messageKey(m.MessageID)).If("createdAt = ?", at), "flagCount", m.FlagCount)
	chats.Check(tx, chatKey(in.ChatID)).If("userCount = ?", in.UserCount)
	flagRowsOf[social.FlagOnChatMessage].add(tx, flag, at)
	ops.TakeCase(tx, report)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// takeCase adds the step of a case to a step of a chat.
func takeCase(tx *keyspec.Tx, step *social.ChatStep) {
	if step.Case != nil {
		ops.TakeCase(tx, *step.Case)
	}
}

// Keep stores a chat that a moderator decided to keep, without the flags that are cleared,
// with the decision and e. It fails with Conflict if the chat no longer exists or has been flagged
// since.
func (s *Chats) Keep(ctx context.Context, c *social.Chat, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	keep(tx, chats.Update(tx, chatKey(c.ChatID)).If("createdAt = ?", c.CreatedAt), c.KeptAt, c.FlagCount, cleared)
	ops.TakeCase(tx, decided)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// KeepMessage is Keep for a message.
func (s *Chats) KeepMessage(ctx context.Context, m *social.ChatMessage, cleared []social.Flag, decided desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	keep(tx, chatMessages.Update(tx, messageKey(m.MessageID)).If("createdAt = ?", m.CreatedAt), m.KeptAt, m.FlagCount, cleared)
	ops.TakeCase(tx, decided)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// keep adds that something is kept, and that flags are taken off it, to a transaction.
func keep(tx *keyspec.Tx, on keyspec.Update, at time.Time, flags int, cleared []social.Flag) {
	asCounted(on.Set("keptAt", at), "flagCount", flags)
	for _, f := range cleared {
		flagRowsOf[f.Kind].remove(tx, f)
	}
}

// Restore takes the forced removal of a message from the chat of a step back, with all
// counters, and stores e. It fails with ErrMessageTaken if the id is in use, and with
// Conflict if a message has been added, a member has viewed the chat since, or the author no
// longer has the profile.
func (s *Chats) Restore(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	var created keyspec.Action
	err := s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		created = chatMessages.Create(tx, storedMessage(m))
		chatMessageCounts.Moved(tx, nil, m)
		around(tx, of, step)
		profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, m.CreatedAt).
			Shift("chatMessagesDeletionCount", -1).Shift("chatMessagesForcedDeletionCount", -1)
		takeCase(tx, step)
		ops.Record(tx, e...)
	})
	return stored.Outcome(err, stored.On(social.ErrMessageTaken, created))
}

// Release shows the members of the chat of a step a message that was held, updates all counters,
// and stores e. It fails with Conflict if the message is no longer held, one has been added, or a
// member has viewed the chat since.
func (s *Chats) Release(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	held := *m
	held.Held = true
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		chatMessages.Update(tx, messageKey(m.MessageID)).If("createdAt = ? AND held = ?", m.CreatedAt, true).Remove("held").Set("keptAt", m.KeptAt)
		chatMessageCounts.Moved(tx, &held, m)
		around(tx, of, step)
		takeCase(tx, step)
		ops.Record(tx, e...)
	}))
}

// unsay adds the removal of a message from the chat of a step to a transaction.
func unsay(tx *keyspec.Tx, of *memberships, step *social.ChatStep, m *social.ChatMessage) keyspec.Write {
	removed := chatMessages.Delete(tx, messageKey(m.MessageID)).If("createdAt = ?", m.CreatedAt)
	chatMessageCounts.Moved(tx, m, nil)
	around(tx, of, step)
	if !step.AuthorGone {
		profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, m.CreatedAt).Shift("chatMessagesDeletionCount", 1)
	}
	return removed
}

// around adds what a step that removes or restores a message changes besides it, and that
// none has been added since.
func around(tx *keyspec.Tx, of *memberships, step *social.ChatStep) {
	on := chats.Update(tx, chatKey(step.Before.ChatID))
	if !step.Before.Large() {
		on.If(asLastActive, step.Before.LastMessageActivityAt)
	}
	journal(on, step)
	enter(tx, step)
	for _, move := range step.Moves {
		if move.Changes() {
			of.move(tx, move)
		}
	}
}

// asLastActive is the condition that no message has been added since.
const asLastActive = "lastMessageActivityAt = ?"

// Remove removes a chat, its members and their counters, and stores e. Messages and views
// are left to RemoveLeftovers and RemoveViews. It fails with Conflict if the chat or its
// members have changed.
func (s *Chats) Remove(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		chat := step.Before
		chats.Delete(tx, chatKey(chat.ChatID)).If("userCount = ?", chat.UserCount).If(asLastActive, chat.LastMessageActivityAt)
		if chat.Type == social.ChatDirect {
			directChats.Delete(tx, directKey(chat.Pair))
		}
		for _, move := range step.Moves {
			of.remove(tx, move.Before, move.Gone)
		}
		takeCase(tx, step)
		ops.Record(tx, e...)
	}))
}

// RemoveLeftovers removes messages of a chat that no longer exists, and updates the
// counters of authors who still have the profile they wrote them with. It ignores messages
// that are already removed.
func (s *Chats) RemoveLeftovers(ctx context.Context, of []*social.ChatMessage) error {
	var ids []social.UserID
	for _, m := range of {
		if m.UserID != "" {
			ids = append(ids, m.UserID)
		}
	}
	authors, err := stored.Load(ctx, s.db, profiles, ids, profileKey, stored.Same)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(of, maxMessagesRemoved) {
		err := s.removeLeftovers(ctx, chunk, authors)
		if refusal.KindOf(err) == refusal.Conflict {
			err = nil
			for single := range slices.Chunk(chunk, 1) {
				if e := s.removeLeftovers(ctx, single, authors); e != nil && refusal.KindOf(e) != refusal.Conflict {
					return e
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Chats) removeLeftovers(ctx context.Context, of []*social.ChatMessage, authors map[social.UserID]*profileItem) error {
	for {
		tx := s.db.NewTx()
		counted := map[social.UserID]keyspec.Action{}
		for _, m := range of {
			chatMessages.Delete(tx, messageKey(m.MessageID)).If("createdAt = ?", m.CreatedAt)
			if author := authors[m.UserID]; author.had(m.CreatedAt) {
				on := profiles.Update(tx, profileKey(m.UserID)).Shift("chatMessagesDeletionCount", 1)
				if counted[m.UserID] == nil {
					counted[m.UserID] = on.If(sameProfile, author.SignedUpAt)
				}
			}
		}
		err := tx.Run(ctx)
		again := false
		for id, profile := range counted {
			if keyspec.Refused(err, profile) { // they have lost it since
				delete(authors, id)
				again = true
			}
		}
		if !again {
			return stored.Outcome(err)
		}
	}
}

// ViewsByUser returns the chat views of a user, earliest first view first, from A2.
func (s *Chats) ViewsByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.ChatView], error) {
	return stored.List(ctx, s.db, chatViews.Begins(A2, string(user)), q, false, (*chatViewItem).view)
}

func (i *chatViewItem) view() social.ChatView { return i.ChatView }

// ForgetViews removes views. It ignores those that do not exist or have been replaced.
func (s *Chats) ForgetViews(ctx context.Context, views []social.ChatView) error {
	for _, v := range views {
		tx := s.db.NewTx()
		chatViews.Delete(tx, chatViews.Key(string(v.ChatID), string(v.UserID))).If("firstViewedAt = ?", v.FirstViewedAt)
		if err := refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx))); err != nil {
			return err
		}
	}
	return nil
}

// RemoveViews removes the views of a chat that no longer exists, unless its id has been
// reused.
func (s *Chats) RemoveViews(ctx context.Context, id social.ChatID) error {
	newer, err := chats.Get(ctx, s.db, chatKey(id))
	if newer != nil || err != nil {
		return err
	}
	b := s.db.NewBulk()
	for view, err := range chatViews.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return err
		}
		chatViews.DeleteIn(b, chatViews.KeyOf(&view))
	}
	return b.Run(ctx)
}

// ViewedAt returns when users last viewed a chat, for those who have.
func (s *Chats) ViewedAt(ctx context.Context, id social.ChatID, users []social.UserID) (map[social.UserID]time.Time, error) {
	key := func(user social.UserID) keyspec.Key { return chatViews.Key(string(id), string(user)) }
	return stored.Load(ctx, s.db, chatViews, users, key, func(v *chatViewItem) time.Time { return v.LastViewedAt })
}

// View records that a member has viewed a chat and has no unviewed messages left, and
// stores e. It replaces their views before since, which are of a former profile. It fails with
// Conflict if they are no longer a member, or a message has been added or removed.
func (s *Chats) View(ctx context.Context, c *social.Chat, m social.ChatMember, since time.Time, times int, at time.Time, e ...outbox.Record) error {
	key, now := chatViews.Key(string(m.ChatID), string(m.UserID)), at
	present, err := chatViews.Get(ctx, s.db, key)
	if err != nil {
		return err
	}
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		if present == nil || present.FirstViewedAt.Before(since) {
			chatViews.Put(tx, chatViewItem{social.ChatView{ChatID: m.ChatID, UserID: m.UserID, FirstViewedAt: now}, now, times}).
				If("attribute_not_exists(firstViewedAt) OR firstViewedAt < ?", since)
		} else {
			on := chatViews.Update(tx, key).Shift("viewCount", times)
			if present.LastViewedAt.Before(now) {
				on.Set("lastViewedAt", now)
			}
		}
		after := m.Viewed(c, at)
		if c.Large() {
			chats.Check(tx, chatKey(c.ChatID)).If("journalAt = ?", c.JournalAt)
		}
		if move := (social.ChatMove{Before: &m, After: &after}); move.Changes() {
			of.move(tx, move)
		} else {
			chatMembers.Check(tx, memberKey(m.ChatID, m.UserID)).Exists().If(unviewedAsBefore(&m), 0)
		}
		ops.Record(tx, e...)
	}))
}
