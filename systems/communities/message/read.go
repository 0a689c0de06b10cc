package message

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

type seenPage = page.Page[*communities.SeenMessage]

// List returns the messages of a chat of the viewer, for the named operation or field.
func (s *Service) List(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	ref communities.ChatRef,
	in communities.Span,
	newestFirst bool,
	args page.Args,
) (seenPage, error) {
	r, err := s.enter(ctx, v, ref, communities.ReadMessages)
	if err != nil {
		return seenPage{}, err
	}
	order := "ascending"
	if newestFirst {
		order = "descending"
	}
	list, err := page.ListOf(args, "communities."+operation, v.UserID, string(ref.Type), string(ref.ID), in.After.String(), in.Before.String(), order)
	if err != nil {
		return seenPage{}, err
	}
	in.After = communities.Later(in.After, r.member.Shows().After)
	return page.Fill(list, func(q page.Query) (page.Page[*communities.Message], error) {
		return s.Store.List(ctx, ref, in, q, newestFirst)
	}, func(some []*communities.Message) (shown []*communities.SeenMessage, err error) {
		for _, m := range some {
			if seen := r.seen(m); seen != nil {
				shown = append(shown, seen)
			}
		}
		return shown, nil
	})
}

// Message returns a message of a chat of the viewer, or nil if it does not exist.
func (s *Service) Message(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, id string) (*communities.SeenMessage, error) {
	r, err := s.enter(ctx, v, ref, communities.ReadMessages, id)
	switch {
	case err == communities.ErrNoChat || err == communities.ErrNotChatMember:
		return nil, nil
	case err != nil || r.messages[id] == nil:
		return nil, err
	}
	return r.seen(r.messages[id]), nil
}

// RepliedTo returns the messages that others reply to, by those. It omits messages that do
// not exist or are hidden.
func (s *Service) RepliedTo(ctx context.Context, replies []*communities.SeenMessage) (map[*communities.SeenMessage]*communities.SeenMessage, error) {
	w := communities.Wanted{}
	for _, m := range replies {
		if ref, ok := m.RepliesTo(); ok {
			w.Messages = append(w.Messages, ref)
		}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	seen := map[*communities.SeenMessage]*communities.SeenMessage{}
	for _, m := range replies {
		ref, _ := m.RepliesTo()
		if to := facts.Messages[ref]; to != nil {
			seen[m] = m.Beside(to)
		}
	}
	return seen, nil
}

// maxMarked is the maximum number of messages marked by one call.
const maxMarked = 25

// MarkRead marks messages as read by the viewer. It returns the number of those by others
// that were unread, by everybody or by the viewer.
func (s *Service) MarkRead(ctx context.Context, v viewer.Viewer, ref communities.ChatRef, ids []string) (int, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (int, error) {
		r, err := s.enter(ctx, v, ref, communities.ReadMessages, ids[:min(len(ids), maxMarked)]...)
		if err := input.First(err, input.Count("messages", len(ids), maxMarked)); err != nil {
			return 0, err
		}
		var read []*communities.Message
		changed, last := 0, r.member.Read
		for _, m := range r.messages {
			key := communities.MessageKey(m.Moment)
			if m.AuthorID == v.UserID {
				continue
			}
			if !m.Deleted && (!m.Read || key > r.member.Read) {
				changed++
			}
			if !m.Read && !m.Deleted {
				read = append(read, m)
			}
			last = max(last, key)
		}
		if changed == 0 && last == r.member.Read {
			return 0, nil
		}
		to := communities.Mark{Read: last}
		if last < r.member.Counted {
			if to.Passed, err = s.passed(ctx, r.member, last); err != nil {
				return 0, err
			}
		}
		return changed, s.Store.MarkRead(ctx, read, r.member, to)
	})
}

// maxCounted is the maximum number of pages of messages read to count the unread ones.
const maxCounted = 10

// passed returns how many fewer of the messages counted as unread remain so after a mark.
// It counts those that remain, up to 1,000 messages. If there are more, it returns 0: the
// count is then too high until a later mark has fewer messages after it.
func (s *Service) passed(ctx context.Context, m *communities.Member, mark string) (int, error) {
	remaining := 0
	list := func(q page.Query) (page.Page[*communities.Message], error) {
		return s.Store.Since(ctx, m.Chat, mark, q)
	}
	for p, err := range page.Pages(maxCounted, list) {
		if err != nil {
			return 0, err
		}
		for _, message := range p.Items {
			if communities.MessageKey(message.Moment) <= m.Counted && message.Counts(m.UserID) {
				remaining++
			}
		}
		if p.Next == "" {
			return m.Unread - remaining, nil
		}
	}
	return 0, nil
}
