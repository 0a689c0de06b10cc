package message

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Cases has the cases of what was reported.
type Cases interface {
	desk.ReportReader
	// EndCases decides those of the cases of items that are open: their authors have deleted
	// the items, with the events of that. It fails with a Conflict if one of them changes at that
	// moment.
	EndCases(ctx context.Context, items []desk.Item, at time.Time, events func(desk.CaseStep) []outbox.Record) error
}

// Report reports a message of a group to those who moderate the service.
func (s *Service) Report(ctx context.Context, v viewer.Viewer, name string, seq int, why string) (*messaging.SeenMessage, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.SeenMessage, error) {
		p, err := s.reads(ctx, v, name)
		switch {
		case err != nil:
			return nil, err
		case p.Kind() != messaging.Group:
			return nil, messaging.ErrNotGroup
		}
		m, err := s.message(ctx, p, seq)
		switch {
		case err != nil:
			return nil, err
		case !p.Topic.HasMessage(m, s.Now()) || seq <= p.Mine.Cleared(p.Topic) || m.DeletedBy(v.UserID):
			return nil, messaging.ErrNoMessage
		case m.From == v.UserID:
			return nil, messaging.ErrOwnMessage
		}
		report, err := desk.ReportApart(ctx, s.Cases, m.CaseItem(), m.From, m.CreatedAt, desk.Report{By: v.UserID, When: s.Now(), Why: why})
		if err != nil {
			return nil, err
		}
		report.Case = report.Case.Unchecked(m.Unchecked)
		return m.SeenBy(v.UserID, p.Mine), s.Store.Report(ctx, m, report, decision.Announce(a, report.Case)...)
	})
}

// Decide carries out a moderator's decision about a message with the change of its case. It does
// nothing, and found is false, if the message is gone and its case does not keep it.
func (s *Service) Decide(ctx context.Context, ref messaging.MessageRef, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		w := messaging.Wanted{Messages: []messaging.MessageRef{ref}}
		if ref.Seq > 0 {
			w.Topics = []messaging.TopicID{ref.Topic}
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return false, err
		}
		m, now := facts.Messages[ref], s.Now()
		if ref.Seq < 0 {
			if !m.Stored(now) {
				return false, nil
			}
			done, err := s.writers.Acquire(ctx, string(m.Topic), 1)
			defer done()
			if err != nil {
				return false, err
			}
			if m.PublishedAs == 0 {
				return s.decideHeld(ctx, a, m, v, c, e)
			}
			ref = messaging.MessageRef{Topic: m.Topic, Seq: m.PublishedAs}
			facts, err = s.Store.Facts(ctx, messaging.Wanted{Topics: []messaging.TopicID{m.Topic}, Messages: []messaging.MessageRef{ref}})
			if err != nil {
				return false, err
			}
			m = facts.Messages[ref]
		}
		t := facts.Topics[ref.Topic]
		switch {
		case v == desk.Keep && c.Before.IsKept(now) && t != nil && t.Exists() && m.Stored(now) && m.Seq > t.ClearID:
			kept, err := desk.Restored[messaging.Message](c.Before.Kept)
			if err != nil {
				return false, err
			}
			kept.Topic = ref.Topic
			return true, s.Store.Restore(ctx, kept, now, c.Restoring(), e...)
		case !t.HasMessage(m, now):
			return false, nil
		case v == desk.Keep:
			return true, s.Store.Keep(ctx, m, c, e...)
		}
		c = c.Removing(desk.RemovedByModerator, m.Kept(), now)
		gone := messaging.Happened{News: messaging.News{Kind: messaging.MessagesDeleted, Topic: m.Topic, User: m.From, Seqs: []int{m.Seq}}}
		return true, s.Store.EraseFor(ctx, m.Erased(now), c, slices.Concat(a.Emit(gone), e)...)
	})
}

// Happened decides the cases of messages that were deleted for everybody, or while they were held, if
// there are any.
func (s *Service) Happened(ctx context.Context, e messaging.Happened, _ outbox.Tell) error {
	items := slice.Map(e.Seqs, func(seq int) desk.Item { return messaging.MessageRef{Topic: e.Topic, Seq: seq}.CaseItem() })
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Cases.EndCases(ctx, items, s.Now(), func(step desk.CaseStep) []outbox.Record { return decision.Announce(a, step) })
	})
}

// deletes reports whether an event deletes single messages of a group for everybody, or a held one.
func deletes(e messaging.Happened) bool {
	if e.Kind != messaging.MessagesDeleted || len(e.Seqs) == 0 {
		return false
	}
	return e.Seqs[0] < 0 || !e.Own && e.Topic.Kind() == messaging.Group
}
