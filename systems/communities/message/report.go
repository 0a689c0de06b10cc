package message

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Cases has the cases of what was reported.
type Cases interface {
	desk.ReportReader
	// EndCases decides the open cases of items that their authors have deleted, with the events of
	// that. It fails with a Conflict if one of them changes at that moment.
	EndCases(ctx context.Context, items []desk.Item, at time.Time, events func(desk.CaseStep) []outbox.Record) error
}

// Report reports a message of a group chat to those who moderate the service.
func (s *Service) Report(ctx context.Context, v viewer.Viewer, chat communities.ChatID, id, why string) (*communities.SeenMessage, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenMessage, error) {
		r, err := s.look(ctx, v, communities.ChatRef{Type: communities.Group, ID: chat}, id)
		if err != nil {
			return nil, err
		}
		m := r.messages[id]
		switch {
		case r.member == nil:
			return nil, communities.ErrNotChatMember
		case m == nil || m.Deleted:
			return nil, communities.ErrNoMessage
		case m.AuthorID == v.UserID:
			return nil, communities.ErrOwnMessage
		}
		report, err := desk.ReportApart(ctx, s.Cases, m.CaseItem(), m.AuthorID, m.At, desk.Report{By: v.UserID, When: s.Now(), Why: why})
		if err != nil {
			return nil, err
		}
		report.Case = report.Case.Unchecked(m.Unchecked)
		return r.seen(m), s.Store.Report(ctx, m, report, decision.Announce(a, report.Case)...)
	})
}

// Decide carries out a moderator's decision about a message with the change of
// its case. It does nothing, and found is false, if the message is gone and its case does not
// keep it.
func (s *Service) Decide(ctx context.Context, ref communities.MessageRef, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		w := communities.Wanted{Chats: []communities.ChatRef{ref.Chat}, Messages: []communities.MessageRef{ref}}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return false, err
		}
		m, r := facts.Messages[ref], &room{Chat: facts.Chats[ref.Chat]}
		switch {
		case m == nil || r.Chat == nil:
			return false, nil
		case v == desk.Keep && !m.Deleted && m.Held:
			return true, s.show(ctx, a, r, m, m, c, e)
		case v == desk.Keep && !m.Deleted:
			return true, s.Store.Keep(ctx, m, c, e...)
		case v == desk.Keep && c.Before.IsKept(s.Now()):
			kept, err := desk.Restored[communities.Message](c.Before.Kept)
			if err != nil {
				return false, err
			}
			kept.Reactions = nil // those of people who have gone since could not be told apart
			return true, s.show(ctx, a, r, m, kept, c, e)
		case m.Deleted:
			return false, nil
		}
		c = c.Removing(desk.RemovedByModerator, desk.Keeping(m, m.Content), s.Now())
		return true, s.erase(ctx, a, r, m, m.AuthorID, &c, e...)
	})
}

// CaseEnded decides the case of a deleted message, if there is one.
func (s *Service) CaseEnded(ctx context.Context, e communities.ChatHappened, _ outbox.Tell) error {
	item := communities.MessageRef{Chat: e.Chat, Moment: e.Message}.CaseItem()
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Cases.EndCases(ctx, []desk.Item{item}, s.Now(), func(step desk.CaseStep) []outbox.Record { return decision.Announce(a, step) })
	})
}

// deletes reports whether an event deletes a message that may have a case, which is not about that.
func deletes(e communities.ChatHappened) bool {
	return e.Type == communities.MessageDeleted && (e.Chat.Type == communities.Group || e.Held) && !e.Cased
}
