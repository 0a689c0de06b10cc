package chat

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Flag flags a chat. It returns the chat as flagged, even if the flag causes its deletion.
func (s *Service) Flag(ctx context.Context, c social.Caller, id social.ChatID, why string, d social.Detail) (*social.SeenChat, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenChat, error) {
		f, err := s.facts(ctx, c.UserID, id, d|social.FlagMark)
		if err != nil {
			return nil, err
		}
		if !f.Exists() {
			return nil, refusal.NotFoundf("Chat `%s` does not exist", id)
		}
		if err := f.CheckFlag(); err != nil {
			return nil, err
		}
		answer := f.AsFlagged().See()
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), f.Chat.CreatedAt)
		flag.Reason = why
		report, err := desk.ReportedIn(ctx, s.Cases, f.Chat.CaseItem(), f.Chat.CreatedByUserID, flag.CreatedAt, 1)
		if err != nil {
			return nil, err
		}
		opened := decision.Announce(a, report)
		condemned, err := s.condemned(ctx, f, f.Chat.Kept(), social.Weighing{Kind: social.FlagOnChat, ID: string(id), Count: f.Chat.FlagCount})
		if err != nil {
			return nil, err
		}
		if !condemned {
			return answer, s.Store.Flag(ctx, f.Chat, flag, report, opened...)
		}
		remains, err := s.remains(ctx, f)
		if err != nil {
			return nil, err
		}
		report.Reports = []desk.Report{flag.Report()}
		return answer.Ended(remains), s.end(ctx, a, f, gone(report, f.Chat, desk.RemovedByReports, s.Now()), opened...)
	})
}

// condemned reports whether another flag of the viewer deletes a chat, or a message in it, unless it is
// to be kept.
func (s *Service) condemned(ctx context.Context, in social.ChatFacts, kept bool, w social.Weighing) (bool, error) {
	if kept {
		return false, nil
	}
	w.By, w.Suffices = in.Viewer, in.Chat.Condemned
	weight, err := s.Flags.Weigh(ctx, w)
	return w.Suffices(weight), err
}

// gone returns the step of a case with the deletion of its chat, which cannot come back.
func gone(in desk.CaseStep, c *social.Chat, by desk.RemovedBy, at time.Time) *desk.CaseStep {
	in = in.Removing(by, desk.Kept{Excerpt: desk.Excerpt(c.Name)}, at)
	return &in
}

// remains reads what the viewer is shown of a chat that is about to be deleted.
func (s *Service) remains(ctx context.Context, f social.ChatFacts) (*social.ChatRemains, error) {
	whole := page.Query{First: page.Max}
	members, err := s.Store.MembersPage(ctx, f.Chat.ChatID, whole)
	if err != nil {
		return nil, err
	}
	r := &social.ChatRemains{Members: page.Map(members, userOf).Items}
	for _, order := range []struct {
		to      *[]social.ChatMessageFacts
		reverse bool
	}{{&r.Oldest, false}, {&r.Newest, true}} {
		messages, err := s.Store.Messages(ctx, f.Chat.ChatID, whole, order.reverse)
		if err != nil {
			return nil, err
		}
		*order.to, err = s.Store.MessageFacts(ctx, f.Viewer, f.Chat.ChatID, messages.Items, social.ViewMark|social.FlagMark|social.TaggedUsers)
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// FlagMessage flags a message in a chat of the caller. It returns the message as it was and
// flagged, even if the flag causes its removal.
func (s *Service) FlagMessage(
	ctx context.Context, c social.Caller, id social.ChatMessageID, why string, d social.Detail,
) (*social.SeenChatMessage, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	missing := refusal.NotFoundf("ChatMessage `%s` does not exist", id)
	if !id.Valid() {
		return nil, missing
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenChatMessage, error) {
		m, err := s.Store.Message(ctx, id)
		if err != nil {
			return nil, err
		}
		if m == nil || m.HiddenFrom(c.UserID) {
			return nil, missing
		}
		in, err := s.facts(ctx, c.UserID, m.ChatID, d)
		if err != nil {
			return nil, err
		}
		if !in.Exists() { // and the message is about to be deleted with it
			return nil, missing
		}
		facts, err := s.Store.MessageFacts(ctx, c.UserID, m.ChatID, []*social.ChatMessage{m}, d|social.FlagMark)
		if err != nil {
			return nil, err
		}
		f := facts[0]
		users, err := c.With(ctx, s.People, f.Users(), d|social.BlockedTie)
		if err != nil {
			return nil, err
		}
		if err := f.CheckFlag(in, users[m.UserID]); err != nil {
			return nil, err
		}
		answer := f.AsFlagged().See(users, in.See())
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), m.CreatedAt)
		flag.Reason = why
		report, err := desk.ReportedIn(ctx, s.Cases, m.CaseItem(), m.UserID, flag.CreatedAt, 1)
		if err != nil {
			return nil, err
		}
		report = report.Unchecked(m.Unchecked)
		opened := decision.Announce(a, report)
		condemned, err := s.condemned(ctx, in, m.Kept(), social.Weighing{Kind: social.FlagOnChatMessage, ID: string(id), Count: m.FlagCount})
		if err != nil {
			return nil, err
		}
		if !condemned {
			return answer, s.Store.FlagMessage(ctx, in.Chat, m, flag, report, opened...)
		}
		report.Reports = []desk.Report{flag.Report()}
		return answer, s.forceOut(ctx, a, in, m, report, desk.RemovedByReports, opened...)
	})
}

// forceOut removes a message by moderation, and keeps it with its case. Nobody is notified.
func (s *Service) forceOut(
	ctx context.Context, a *decision.Attempt, in social.ChatFacts, m *social.ChatMessage, c desk.CaseStep, by desk.RemovedBy, e ...outbox.Record,
) error {
	return s.forceOutAs(ctx, a, in, m, m, c, by, e...)
}

// forceOutAs is forceOut for a message that is kept as an edit would have made it.
func (s *Service) forceOutAs(
	ctx context.Context, a *decision.Attempt, in social.ChatFacts, stored, m *social.ChatMessage, c desk.CaseStep, by desk.RemovedBy, e ...outbox.Record,
) error {
	step, err := s.step(ctx, in)
	if err != nil {
		return err
	}
	viewedAt, err := s.Store.ViewedAt(ctx, m.ChatID, step.Readers(m.UserID))
	if err != nil {
		return err
	}
	author, err := s.Users.Profile(ctx, m.UserID)
	if err != nil {
		return err
	}
	step.Unsay(*m, author, viewedAt, s.Now())
	c = c.Removing(by, desk.Keeping(m, m.Text), s.Now())
	step.Case = &c
	all := append(events(step),
		social.ChatMessageDeleted{Chat: *step.After, Message: *m, Forced: true},
		social.ContentForciblyRemoved{UserID: m.UserID, Kind: social.ForcedChatMessages})
	return s.Store.ForceOut(ctx, step, stored, slices.Concat(a.Emit(all...), e)...)
}
