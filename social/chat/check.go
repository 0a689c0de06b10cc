package chat

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// say adds a message of a user to a step after its content check: held, and with its case, unless
// that allows it. What is to be removed is held until the event is received.
func (s *Service) say(ctx context.Context, check *desk.Checking, step *social.ChatStep, m social.ChatMessage) error {
	found, err := check.Of(ctx, func() desk.Draft { return draft(m) })
	if err != nil {
		return err
	}
	m.Held, m.Unchecked = !found.Allows(), found.Allows() && found.Failed
	if m.Held {
		in, err := desk.CheckedIn(ctx, s.Cases, m.CaseItem(), m.UserID, s.Now(), found)
		if err != nil {
			return err
		}
		step.Case = &in
	}
	step.Say(m)
	return nil
}

func draft(m social.ChatMessage) desk.Draft {
	return desk.Draft{Item: m.CaseItem(), Author: m.UserID, Text: m.Text}
}

// MessageRefused removes a message that its content check has removed, unless a moderator was faster.
func (s *Service) MessageRefused(ctx context.Context, e social.ChatMessageRefused, _ outbox.Tell) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		m, err := s.Store.Message(ctx, e.MessageID)
		if m == nil || err != nil || !m.Held || m.ChatID != e.ChatID {
			return err
		}
		in, err := s.facts(ctx, m.UserID, m.ChatID, 0)
		if in.Chat == nil || err != nil {
			return err
		}
		c, err := desk.ReportedIn(ctx, s.Cases, m.CaseItem(), m.UserID, s.Now(), 0)
		if err != nil {
			return err
		}
		return s.forceOut(ctx, a, in, m, c, desk.RemovedByProgram, decision.Announce(a, c)...)
	})
}

// release shows the members of its chat a message that was held. It returns false if the chat is
// gone.
func (s *Service) release(ctx context.Context, a *decision.Attempt, held *social.ChatMessage, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	m := *held
	m.Held, m.KeptAt = false, s.Now()
	in, err := s.facts(ctx, m.UserID, m.ChatID, 0)
	if in.Chat == nil || err != nil {
		return false, err
	}
	step, err := s.step(ctx, in)
	if err != nil {
		return false, err
	}
	readers := step.Readers(m.UserID)
	viewedAt, err := s.Store.ViewedAt(ctx, m.ChatID, readers)
	if err != nil {
		return false, err
	}
	step.Restore(m, viewedAt, s.Now())
	step.Case = &c
	all := events(step)
	if step.After.Large() {
		all = append(all, social.ChatMessageRestored{Chat: *step.After, Message: m, Released: true})
	} else {
		all = append(all, social.ChatMessageAdded{Chat: *step.After, Message: m, To: readers})
	}
	return true, s.Store.Release(ctx, step, &m, slices.Concat(a.Emit(all...), e)...)
}
