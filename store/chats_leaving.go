package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// maxMessagesRemoved is how many messages a transaction can remove together with a counter
// of an author each.
const maxMessagesRemoved = 50

// Edit stores an edited message in place of before, and e. It fails with Conflict when the
// message is gone.
func (s *Chats) Edit(ctx context.Context, before, after *social.ChatMessage, e ...outbox.Record) error {
	tx := s.db.NewTx()
	chatMessages.Change(tx, chatMessageItemOf(before), chatMessageItemOf(after)).If("createdAt = ?", keyspec.StampOf(before.CreatedAt))
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Unsay removes a message from the chat of a step, with what it counted, and stores e. It
// fails with Conflict when the message is gone, a newer one has come, a member has viewed the
// chat since, or its author has lost their profile.
func (s *Chats) Unsay(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		unsay(tx, of, step, m)
		ops.Record(tx, e...)
	}))
}

// ForceOut removes a message against its author: what Unsay does, and a counter. It fails
// with Conflict also when flags or members are not those for which it was decided.
func (s *Chats) ForceOut(ctx context.Context, step *social.ChatStep, m *social.ChatMessage, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		asCounted(unsay(tx, of, step, m), "flagCount", m.FlagCount)
		chats.Check(tx, chatKey(m.ChatID)).If("userCount = ?", step.Before.UserCount)
		if !step.AuthorGone {
			profiles.Update(tx, profileKey(m.UserID)).Shift("chatMessagesForcedDeletionCount", 1)
		}
		ops.Record(tx, e...)
	}))
}

// Flag stores a flag of a chat. It fails with Conflict when the chat is gone, flags have come,
// or members have come or gone.
func (s *Chats) Flag(ctx context.Context, c *social.Chat, flag social.Flag) error {
	tx := s.db.NewTx()
	at := keyspec.StampOf(c.CreatedAt)
	asCounted(chats.Update(tx, chatKey(c.ChatID)).If("createdAt = ? AND userCount = ?", at, c.UserCount), "flagCount", c.FlagCount)
	flagRowsOf[social.FlagOnChat].add(tx, flag, at)
	return stored.Outcome(tx.Run(ctx))
}

// FlagMessage stores a flag of a message in a chat. It fails with Conflict when either is gone,
// flags have come, or members have come or gone.
func (s *Chats) FlagMessage(ctx context.Context, in *social.Chat, m *social.ChatMessage, flag social.Flag) error {
	tx := s.db.NewTx()
	at := keyspec.StampOf(m.CreatedAt)
	asCounted(chatMessages.Update(tx, messageKey(m.MessageID)).If("createdAt = ?", at), "flagCount", m.FlagCount)
	chats.Check(tx, chatKey(in.ChatID)).If("userCount = ?", in.UserCount)
	flagRowsOf[social.FlagOnChatMessage].add(tx, flag, at)
	return stored.Outcome(tx.Run(ctx))
}

// unsay adds to a transaction what removes a message from the chat of a step.
func unsay(tx *keyspec.Tx, of *memberships, step *social.ChatStep, m *social.ChatMessage) keyspec.Write {
	item := chatMessageItemOf(m)
	removed := chatMessages.Delete(tx, messageKey(m.MessageID)).If("createdAt = ?", item.CreatedAt)
	chatMessageCounts.Moved(tx, &item, nil)
	on := chats.Update(tx, chatKey(m.ChatID))
	if !step.Before.Large() {
		on.If(asLastActive, keyspec.StampOf(step.Before.LastMessageActivityAt))
	}
	journal(on, step)
	enter(tx, step)
	if !step.AuthorGone {
		profiles.Update(tx, profileKey(m.UserID)).If(hadProfile, item.CreatedAt).Shift("chatMessagesDeletionCount", 1)
	}
	for _, move := range step.Moves {
		if move.Changes() {
			of.move(tx, move)
		}
	}
	return removed
}

// asLastActive is the condition that no message has come since.
const asLastActive = "lastMessageActivityAt = ?"

// Remove removes a chat with its members and what they counted, and stores e. Its messages
// and views are left for RemoveLeftovers and RemoveViews. It fails with Conflict when the
// chat or its members are not as they were.
func (s *Chats) Remove(ctx context.Context, step *social.ChatStep, e ...outbox.Record) error {
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		chat := step.Before
		chats.Delete(tx, chatKey(chat.ChatID)).If("userCount = ?", chat.UserCount).If(asLastActive, keyspec.StampOf(chat.LastMessageActivityAt))
		if chat.Type == social.ChatDirect {
			directChats.Delete(tx, directKey(chat.Pair))
		}
		for _, move := range step.Moves {
			of.remove(tx, memberItemOf(move.Before), move.Gone)
		}
		ops.Record(tx, e...)
	}))
}

// RemoveLeftovers removes messages of a chat that is gone, with the counters of those
// authors who still have the profile with which they wrote. Those that are gone already are
// left out.
func (s *Chats) RemoveLeftovers(ctx context.Context, of []*social.ChatMessage) error {
	authors := map[social.UserID]*profileItem{}
	for _, m := range of {
		if m.UserID != "" {
			authors[m.UserID] = nil
		}
	}
	if err := s.profiles(ctx, slices.Collect(maps.Keys(authors)), authors); err != nil {
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
	tx := s.db.NewTx()
	for _, m := range of {
		chatMessages.Delete(tx, messageKey(m.MessageID)).If("createdAt = ?", keyspec.StampOf(m.CreatedAt))
		if authors[m.UserID].had(m.CreatedAt) {
			profiles.Update(tx, profileKey(m.UserID)).Shift("chatMessagesDeletionCount", 1)
		}
	}
	return stored.Outcome(tx.Run(ctx))
}

// ViewsByUser returns the views of a user, the first first, by A2.
func (s *Chats) ViewsByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.ChatView], error) {
	return stored.List(ctx, s.db, chatViews.Begins(A2, string(user)), q, false, (*chatViewItem).view)
}

func (i *chatViewItem) view() social.ChatView {
	return social.ChatView{ChatID: i.ChatID, UserID: i.UserID, FirstViewedAt: i.FirstViewedAt.Time()}
}

// ForgetViews removes views, those that are there.
func (s *Chats) ForgetViews(ctx context.Context, views []social.ChatView) error {
	b := s.db.NewBulk()
	for _, v := range views {
		chatViews.DeleteIn(b, chatViews.Key(string(v.ChatID), string(v.UserID)))
	}
	return b.Run(ctx)
}

// RemoveViews removes the views of a chat that is gone, unless there is another with its id.
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

// ViewedAt returns when users last viewed a chat, for those who ever did.
func (s *Chats) ViewedAt(ctx context.Context, id social.ChatID, users []social.UserID) (map[social.UserID]time.Time, error) {
	b := s.db.NewBatch()
	views := chatViews.FetchEach(b, len(users), func(i int) keyspec.Key { return chatViews.Key(string(id), string(users[i])) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	at := map[social.UserID]time.Time{}
	for i, user := range users {
		if view := views.At(i); view != nil {
			at[user] = view.LastViewedAt.Time()
		}
	}
	return at, nil
}

// View records that a member viewed a chat, has no messages to view any more, and stores e.
// It fails with Conflict when they are no member any more, or a message has come or gone.
func (s *Chats) View(ctx context.Context, c *social.Chat, m social.ChatMember, times int, at time.Time, e ...outbox.Record) error {
	key, now := chatViews.Key(string(m.ChatID), string(m.UserID)), keyspec.StampOf(at)
	present, err := chatViews.Get(ctx, s.db, key)
	if err != nil {
		return err
	}
	return stored.Outcome(s.moveMembers(ctx, func(tx *keyspec.Tx, of *memberships) {
		if present == nil {
			chatViews.Create(tx, chatViewItem{ChatID: m.ChatID, viewItem: viewItem{UserID: m.UserID, FirstViewedAt: now, LastViewedAt: now, ViewCount: times}})
		} else {
			on := chatViews.Update(tx, key).Shift("viewCount", times)
			if present.LastViewedAt < now {
				on.Set("lastViewedAt", now)
			}
		}
		after := m.Viewed(c)
		if c.Large() {
			chats.Check(tx, chatKey(c.ChatID)).If("journalAt = ?", keyspec.StampOf(c.JournalAt))
		}
		if move := (social.ChatMove{Before: &m, After: &after}); move.Changes() {
			of.move(tx, move)
		} else {
			chatMembers.Check(tx, memberKey(m.ChatID, m.UserID)).Exists().If(unviewedAsBefore(memberItemOf(&m)), 0)
		}
		ops.Record(tx, e...)
	}))
}
