package chat

import (
	"context"
	"errors"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// Decide carries out a moderator's decision about a chat with the change of its case. It does
// nothing, and found is false, if the chat is gone: it cannot come back.
func (s *Service) Decide(ctx context.Context, id social.ChatID, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		f, err := s.facts(ctx, "", id, 0)
		if f.Chat == nil || err != nil {
			return false, err
		}
		if v == desk.Remove {
			return true, s.end(ctx, a, f, gone(c, f.Chat, desk.RemovedByModerator, s.Now()), e...)
		}
		cleared, err := s.cleared(ctx, social.FlagOnChat, string(id), f.Chat.FlagCount, &c)
		if err != nil {
			return false, err
		}
		kept := *f.Chat
		kept.KeptAt = s.Now()
		return true, s.Store.Keep(ctx, &kept, cleared, c, e...)
	})
}

// DecideMessage is Decide for a message, which can come back as long as its case keeps it.
func (s *Service) DecideMessage(ctx context.Context, id social.ChatMessageID, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		m, err := s.Store.Message(ctx, id)
		if err != nil {
			return false, err
		}
		if m == nil {
			if v == desk.Keep && c.Before.IsKept(s.Now()) {
				return s.restore(ctx, a, c, e...)
			}
			return false, nil
		}
		if v == desk.Remove {
			in, err := s.facts(ctx, m.UserID, m.ChatID, 0)
			if in.Chat == nil || err != nil {
				return false, err
			}
			return true, s.forceOut(ctx, a, in, m, c, desk.RemovedByModerator, e...)
		}
		if m.Held {
			return s.release(ctx, a, m, c, e...)
		}
		cleared, err := s.cleared(ctx, social.FlagOnChatMessage, string(id), m.FlagCount, &c)
		if err != nil {
			return false, err
		}
		kept := *m
		kept.KeptAt = s.Now()
		return true, s.Store.KeepMessage(ctx, &kept, cleared, c, e...)
	})
}

// cleared returns the flags to take off something that has some, and adds them to its case.
func (s *Service) cleared(ctx context.Context, kind social.FlagKind, id string, flags int, c *desk.CaseStep) ([]social.Flag, error) {
	if flags == 0 {
		return nil, nil
	}
	cleared, err := s.Flags.Cleared(ctx, kind, id)
	c.Reports = social.Reports(cleared)
	return cleared, err
}

// restore brings a removed message back, unless its chat or its author is gone.
func (s *Service) restore(ctx context.Context, a *decision.Attempt, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	m, err := desk.Restored[social.ChatMessage](c.Before.Kept)
	if err != nil {
		return false, err
	}
	in, err := s.facts(ctx, m.UserID, m.ChatID, 0)
	if in.Chat == nil || err != nil || in.Chat.CreatedAt.After(m.CreatedAt) {
		return false, err
	}
	author, err := s.Users.Profile(ctx, m.UserID)
	if author == nil || err != nil || author.Former(m.CreatedAt) {
		return false, err
	}
	if err := s.Flags.Drop(ctx, social.FlagOnChatMessage, string(m.MessageID)); err != nil {
		return false, err
	}
	m.FlagCount, m.KeptAt, m.Held = 0, s.Now(), false
	step, err := s.step(ctx, in)
	if err != nil {
		return false, err
	}
	viewedAt, err := s.Store.ViewedAt(ctx, m.ChatID, step.Readers(m.UserID))
	if err != nil {
		return false, err
	}
	step.Restore(*m, viewedAt, s.Now())
	back := c.Restoring()
	step.Case = &back
	all := append(events(step), social.ChatMessageRestored{Chat: *step.After, Message: *m})
	if err := s.Store.Restore(ctx, step, m, slices.Concat(a.Emit(all...), e)...); !errors.Is(err, social.ErrMessageTaken) {
		return true, err
	}
	return false, nil
}

// MessageRestored updates the counters of the members of a large group, and notifies them of a
// message that was held.
func (s *Service) MessageRestored(ctx context.Context, e social.ChatMessageRestored, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if !e.Chat.Large() {
		return "", 0, nil
	}
	if !e.Released {
		tell = func(...outbox.Message) {}
	}
	return s.tellAll(ctx, social.ChatMessageIsAdded, e.Chat, e.Message, e.Chat.JournalAt, cursor, tell)
}
