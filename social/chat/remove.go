package chat

import (
	"context"
	"slices"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// remove deletes a chat: from then on nobody is a member. Its messages and views are
// removed when the event is received.
func (s *Service) remove(ctx context.Context, a *decision.Attempt, step *social.ChatStep, e ...outbox.Record) error {
	c := step.Before
	all := append(events(step), social.ChatDeleted{ChatID: c.ChatID, LastMessageActivityAt: c.LastMessageActivityAt, Large: c.Large(), Forced: step.Case != nil})
	return s.Store.Remove(ctx, step, slices.Concat(a.Emit(all...), e)...)
}

// end deletes a chat with all its memberships. In is the step of its case if moderation does
// it, or nil.
func (s *Service) end(ctx context.Context, a *decision.Attempt, f social.ChatFacts, in *desk.CaseStep, e ...outbox.Record) error {
	step, err := s.step(ctx, f)
	if err != nil {
		return err
	}
	for _, user := range f.Gone {
		step.Vanish(user)
	}
	step.LeaveAll()
	step.Case = in
	return s.remove(ctx, a, step, e...)
}

// UserBlocked deletes the direct chat of the two users, if they have one. Unblocking does
// not restore it.
func (s *Service) UserBlocked(ctx context.Context, e social.UserBlocked, _ outbox.Tell) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		id, err := s.Store.Direct(ctx, social.PairOf(e.BlockerUserID, e.BlockedUserID))
		if id == "" || err != nil {
			return err
		}
		f, err := s.facts(ctx, e.BlockerUserID, id, 0)
		if f.Chat == nil || err != nil {
			return err
		}
		return s.end(ctx, a, f, nil)
	})
}

// ChatDeleted removes what is left of a deleted chat, a page of messages at a time, but
// nothing of a newer chat with the same id.
func (s *Service) ChatDeleted(ctx context.Context, e social.ChatDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if in, ok := strings.CutPrefix(cursor, ofMembers); ok || cursor == "" && e.Large {
		next, rows, err = s.memberless(ctx, e, in)
		if next != "" || err != nil {
			return next, rows, err
		}
	}
	if cursor == "" || strings.HasPrefix(cursor, ofMembers) {
		cursor = ""
		if err := s.Store.RemoveViews(ctx, e.ChatID); err != nil {
			return "", 0, err
		}
	}
	messages, err := s.Store.Messages(ctx, e.ChatID, page.Query{First: page.Max, After: cursor}, false)
	if err != nil {
		return "", 0, err
	}
	var left []*social.ChatMessage
	for _, m := range messages.Items {
		if !m.CreatedAt.After(e.LastMessageActivityAt) {
			left = append(left, m)
		}
	}
	if err := s.Flags.Clear(ctx, social.FlagOnChatMessage, slice.Map(left, (*social.ChatMessage).FlaggedItem)...); err != nil {
		return "", 0, err
	}
	return messages.Next, rows + len(messages.Items), s.Store.RemoveLeftovers(ctx, left)
}
