package message

import (
	"context"
	"errors"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// reads reads a topic for a viewer who may read it, or returns an error.
func (s *Service) reads(ctx context.Context, v viewer.Viewer, name string) (*messaging.Place, error) {
	p, err := messaging.Look(ctx, s.Store, v.UserID, name, "", messaging.Wanted{})
	if err != nil {
		return nil, err
	}
	return p, p.Reads()
}

// List returns the messages of a topic that the viewer sees.
func (s *Service) List(ctx context.Context, v viewer.Viewer, l messaging.Listing, args page.Args) (page.Page[*messaging.SeenMessage], error) {
	return listed(ctx, s, v, l, args, func(p *messaging.Place, m *messaging.Message) (*messaging.SeenMessage, bool) {
		return m.SeenBy(v.UserID, p.Mine), !m.DeletedBy(v.UserID)
	})
}

// Deleted returns the numbers of messages that were deleted, for everybody or for the
// viewer.
func (s *Service) Deleted(ctx context.Context, v viewer.Viewer, l messaging.Listing, args page.Args) (page.Page[int], error) {
	return listed(ctx, s, v, l, args, func(p *messaging.Place, m *messaging.Message) (int, bool) {
		return m.Seq, !m.DeletedAt.IsZero() || m.DeletedBy(v.UserID)
	})
}

// listed returns what show returns for messages of a topic that are neither hidden from the
// viewer nor expired.
func listed[T any](
	ctx context.Context,
	s *Service,
	v viewer.Viewer,
	l messaging.Listing,
	args page.Args,
	show func(*messaging.Place, *messaging.Message) (T, bool),
) (page.Page[T], error) {
	p, err := s.reads(ctx, v, l.Topic)
	if err != nil {
		return page.Page[T]{}, err
	}
	order := "descending"
	if l.OldestFirst {
		order = "ascending"
	}
	list, err := page.ListOf(args, "messaging."+l.Operation, v.UserID, string(p.Topic.ID), l.Span.String(), order)
	if err != nil {
		return page.Page[T]{}, err
	}
	in := l.Span
	in.Since = max(in.Since, p.Mine.Cleared(p.Topic)+1)
	if in.Before != 0 && in.Before <= in.Since || p.IsOwn() {
		return page.Page[T]{}, nil
	}
	return page.Fill(list, func(q page.Query) (page.Page[*messaging.Message], error) {
		return s.some(ctx, p, in, q, l.OldestFirst)
	}, func(some []*messaging.Message) (shown []T, err error) {
		for _, m := range some {
			if !m.Stored(s.Now()) {
				continue
			}
			if seen, ok := show(p, m); ok {
				shown = append(shown, seen)
			}
		}
		return shown, nil
	})
}

// Message returns a message, or nil if it does not exist.
func (s *Service) Message(ctx context.Context, v viewer.Viewer, name string, seq int) (*messaging.SeenMessage, error) {
	p, err := s.reads(ctx, v, name)
	if errors.Is(err, messaging.ErrNoTopic) {
		return nil, nil
	}
	if err != nil || p.IsOwn() {
		return nil, err
	}
	m, err := s.message(ctx, p, seq)
	if err != nil || !m.Stored(s.Now()) || seq > 0 && seq <= p.Mine.Cleared(p.Topic) {
		return nil, err
	}
	return m.SeenBy(v.UserID, p.Mine), nil
}

// Delete deletes messages for everybody or for the viewer.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, name string, d messaging.Deletion) (*messaging.Deleted, error) {
	done := []int{} // also by an attempt that then met a conflict
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*messaging.Deleted, error) {
		p, err := s.reads(ctx, v, name)
		if err != nil {
			return nil, err
		}
		if seq, is := d.Single(); is && slices.Contains(p.Mine.Held, seq) {
			return s.withdraw(ctx, a, p, seq)
		}
		numbers, err := d.Numbers()
		if err != nil {
			return nil, err
		}
		hard := d.Hard && p.Mine.May(messaging.Delete) && !p.IsOwn()
		result := &messaging.Deleted{Topic: p.Topic.ID, SeqIds: done, Hard: hard, ClearID: p.Mine.ClearID}
		if hard {
			result.ClearID = p.ClearID
		}
		switch {
		case numbers == nil && hard:
			return s.clear(ctx, a, p, *d.Before, result)
		case numbers == nil:
			return s.clearOwn(ctx, a, p, *d.Before, result)
		}
		err = s.single(ctx, a, p, numbers, result)
		done = result.SeqIds
		return result, err
	})
}

// clear hides messages up to a number from everybody.
func (s *Service) clear(ctx context.Context, a *decision.Attempt, p *messaging.Place, before int, result *messaging.Deleted) (*messaging.Deleted, error) {
	if err := messaging.CheckBefore(before, p.Topic); err != nil || before <= p.ClearID {
		return result, err
	}
	result.ClearID, result.Changed = before, true
	return result, s.Store.Clear(ctx, p.Topic.ID, before, a.Emit(deleted(p, messaging.News{Seq: before}))...)
}

// clearOwn hides messages up to a number from the viewer.
func (s *Service) clearOwn(ctx context.Context, a *decision.Attempt, p *messaging.Place, before int, result *messaging.Deleted) (*messaging.Deleted, error) {
	if err := messaging.CheckBefore(before, p.Topic); err != nil || before <= p.Mine.ClearID {
		return result, err
	}
	result.ClearID, result.Changed = before, true
	return result, s.Store.ClearOwn(ctx, p.Mine, p.Mine.ClearedTo(before), a.Emit(hidden(p, messaging.News{Seq: before}))...)
}

// single deletes messages by their numbers, some in each transaction, and adds the numbers to the
// result.
func (s *Service) single(ctx context.Context, a *decision.Attempt, p *messaging.Place, numbers []int, result *messaging.Deleted) error {
	if last := numbers[len(numbers)-1]; last > p.SeqID {
		return messaging.BeyondEnd(last, p.Topic)
	}
	var w messaging.Wanted
	for _, n := range numbers {
		w.Messages = append(w.Messages, messaging.MessageRef{Topic: p.Topic.ID, Seq: n})
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return err
	}
	now := s.Now()
	var affected []*messaging.Message
	for _, ref := range w.Messages {
		m := facts.Messages[ref]
		switch {
		case !m.Exists(now), m.Seq <= p.Mine.Cleared(p.Topic), !result.Hard && m.DeletedBy(p.Viewer.ID):
			continue
		case result.Hard && p.Owner != p.Viewer.ID && now.Sub(m.CreatedAt) >= messaging.HardDeletionPeriod:
			return messaging.ErrTooOld
		}
		affected = append(affected, m)
	}
	for some := range slices.Chunk(affected, messaging.DeletedTogether) {
		seqs := slice.Map(some, func(m *messaging.Message) int { return m.Seq })
		if result.Hard {
			erased := slice.Map(some, func(m *messaging.Message) *messaging.Message { return m.Erased(now) })
			err = s.Store.Erase(ctx, erased, a.Emit(deleted(p, messaging.News{Seqs: seqs}))...)
		} else {
			err = s.Store.Hide(ctx, some, p.Viewer.ID, a.Emit(hidden(p, messaging.News{Seqs: seqs}))...)
		}
		if err != nil {
			return err
		}
		result.SeqIds = slices.Sorted(slices.Values(slices.Concat(result.SeqIds, seqs)))
	}
	result.Changed = len(result.SeqIds) > 0
	return nil
}

// deleted returns the event for messages deleted for everybody.
func deleted(p *messaging.Place, n messaging.News) messaging.Happened {
	n.Kind, n.Topic, n.User = messaging.MessagesDeleted, p.Topic.ID, p.Viewer.ID
	return messaging.Happened{News: n}
}

// hidden returns the event, for the viewer's other sessions, for messages deleted for the
// viewer.
func hidden(p *messaging.Place, n messaging.News) messaging.Happened {
	e := deleted(p, n)
	e.Own, e.Accounts = true, []messaging.UserID{p.Viewer.ID}
	return e
}
