package chat

import (
	"context"
	"slices"
	"strconv"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// caughtAtOnce is the number of members updated in one transaction, each with their profile and
// the row that lists the large groups of the user.
const caughtAtOnce = 30

// tellAll notifies those who were members when a message was added or deleted, or who are when
// it was edited, except its author. It processes a page of members at a time. For an entry of
// the journal, at entryAt unless that is zero, it updates their counters first, and finally
// deletes it.
func (s *Service) tellAll(
	ctx context.Context, t social.ChatMessageNotificationType, c social.Chat, m social.ChatMessage, entryAt time.Time, cursor string, tell outbox.Tell,
) (next string, rows int, err error) {
	members, err := s.Store.MembersFrom(ctx, c.ChatID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	if entryAt.IsZero() {
		if f, err := s.facts(ctx, "", c.ChatID, 0); f.Chat == nil || !f.Chat.CreatedAt.Equal(c.CreatedAt) || err != nil {
			return "", 0, err // the members are those of another chat with the same id
		}
	} else if err := s.catchUp(ctx, c.ChatID, page.Map(members, userOf).Items); err != nil {
		return "", 0, err
	}
	var to []social.UserID
	for _, u := range members.Items {
		if u.UserID != m.UserID && (entryAt.IsZero() || !u.JoinedAt.After(entryAt)) {
			to = append(to, u.UserID)
		}
	}
	tellOf(t, c, m, to, tell)
	if members.Next == "" && !entryAt.IsZero() {
		err = s.Store.ForgetEntries(ctx, c.ChatID, []social.ChatEntry{{At: entryAt}})
	}
	return members.Next, len(members.Items), err
}

// catchUp makes members count the journal entries that they have not counted.
func (s *Service) catchUp(ctx context.Context, id social.ChatID, members []social.UserID) error {
	for ids := range slices.Chunk(members, caughtAtOnce) {
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error { return s.catchUpThose(ctx, a, id, ids) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) catchUpThose(ctx context.Context, a *decision.Attempt, id social.ChatID, ids []social.UserID) error {
	members, err := s.Store.MembersAmong(ctx, id, ids)
	if err != nil || len(members) == 0 {
		return err
	}
	viewedAt, err := s.Store.ViewedAt(ctx, id, ids)
	if err != nil {
		return err
	}
	entries, err := s.Store.Entries(ctx, id)
	if err != nil {
		return err
	}
	var moves []social.ChatMove
	var unviewed []social.UserID
	for i := range members {
		before, after := &members[i], members[i].Caught(entries, viewedAt[members[i].UserID])
		move := social.ChatMove{Before: before, After: &after}
		if !move.Changes() {
			continue
		}
		moves = append(moves, move)
		if (before.MessagesUnviewedCount > 0) != (after.MessagesUnviewedCount > 0) {
			unviewed = append(unviewed, before.UserID)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	return s.Store.CatchUp(ctx, moves, a.Emit(unviewedChanged(id, unviewed)...)...)
}

// Joined adds the users whom the decision's transaction had no capacity for to a large
// group, some at a time.
func (s *Service) Joined(ctx context.Context, e social.ChatJoined, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil {
			return "", 0, err
		}
	}
	to := min(from+caughtAtOnce, len(e.UserIDs))
	chunk := e.UserIDs[min(from, to):to]
	err = s.join(ctx, e, chunk)
	if refusal.KindOf(err) == refusal.Conflict { // one of them is no longer active
		for one := range slices.Chunk(chunk, 1) {
			if err = s.join(ctx, e, one); err != nil && refusal.KindOf(err) != refusal.Conflict {
				return "", 0, err
			}
		}
		err = nil
	}
	if err != nil || to == len(e.UserIDs) {
		return "", len(chunk), err
	}
	return strconv.Itoa(to), len(chunk), nil
}

func (s *Service) join(ctx context.Context, e social.ChatJoined, users []social.UserID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		f, err := s.facts(ctx, "", e.ChatID, 0)
		if err != nil || f.Chat == nil || !f.Chat.CreatedAt.Equal(e.CreatedAt) {
			return err
		}
		present, err := s.Store.MembersAmong(ctx, e.ChatID, users)
		if err != nil {
			return err
		}
		entries, err := s.Store.Entries(ctx, e.ChatID)
		if err != nil {
			return err
		}
		var members []social.ChatMember
		var unviewed []social.UserID
		for _, id := range users {
			if slices.ContainsFunc(present, func(m social.ChatMember) bool { return m.UserID == id }) {
				continue
			}
			m := social.NewChatMember(f.Chat, id, e.At).Caught(entries, time.Time{})
			members = append(members, m)
			if m.MessagesUnviewedCount > 0 {
				unviewed = append(unviewed, id)
			}
		}
		if len(members) == 0 {
			return nil
		}
		return s.Store.Join(ctx, f.Chat, members, a.Emit(unviewedChanged(e.ChatID, unviewed)...)...)
	})
}

// ofMembers is the cursor prefix of members of a deleted chat.
const ofMembers = "members "

// memberless deletes the members left of a deleted large group, a page at a time, and
// finally its journal. Those of a newer chat with the same id stay.
func (s *Service) memberless(ctx context.Context, e social.ChatDeleted, cursor string) (next string, rows int, err error) {
	members, err := s.Store.MembersFrom(ctx, e.ChatID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for ids := range slices.Chunk(page.Map(members, userOf).Items, caughtAtOnce) {
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error { return s.removeMembers(ctx, a, e, ids) })
		if err != nil {
			return "", 0, err
		}
	}
	if members.Next != "" {
		return ofMembers + members.Next, len(members.Items), nil
	}
	entries, err := s.Store.Entries(ctx, e.ChatID)
	if err != nil {
		return "", 0, err
	}
	entries = slices.DeleteFunc(entries, func(entry social.ChatEntry) bool { return entry.MessageAt.After(e.LastMessageActivityAt) })
	return "", len(members.Items), s.Store.ForgetEntries(ctx, e.ChatID, entries)
}

func (s *Service) removeMembers(ctx context.Context, a *decision.Attempt, e social.ChatDeleted, ids []social.UserID) error {
	members, err := s.Store.MembersAmong(ctx, e.ChatID, ids)
	if err != nil {
		return err
	}
	members = slices.DeleteFunc(members, func(m social.ChatMember) bool { return m.JoinedAt.After(e.LastMessageActivityAt) })
	var unviewed []social.UserID
	for _, m := range members {
		if m.MessagesUnviewedCount > 0 {
			unviewed = append(unviewed, m.UserID)
		}
	}
	if len(members) == 0 {
		return nil
	}
	return s.Store.RemoveMembers(ctx, members, a.Emit(unviewedChanged(e.ChatID, unviewed)...)...)
}
