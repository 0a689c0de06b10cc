package message

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// counted is the number of members up to which unread counts are updated together with a
// message.
const counted = 25

// others reads all members of a small chat. It returns nil for a large one.
func (s *Service) others(ctx context.Context, r *room) ([]*communities.Member, error) {
	if r.NumMembers > counted {
		return nil, nil
	}
	p, err := s.Members.Members(ctx, r.ChatRef, page.Query{First: counted + 1})
	if err != nil {
		return nil, err
	}
	if r.Type == communities.Group && len(p.Items) != r.NumMembers {
		return nil, refusal.ErrConcurrent
	}
	return p.Items, nil
}

// upToDate reports whether the members' counts include all messages so far.
func (r *room) upToDate(members []*communities.Member) bool {
	if r.Chat.LastAt().IsZero() {
		return true
	}
	last := communities.ReadFrom(r.Chat.LastAt())
	return !slices.ContainsFunc(members, func(m *communities.Member) bool { return m.Counted < last })
}

// Count updates the unread counts of a large chat after a message was sent or deleted, for
// some members at a time. It can be repeated.
func (s *Service) Count(ctx context.Context, e communities.ChatHappened, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if !e.Uncounted {
		return "", 0, nil
	}
	err = decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		p, err := s.Members.Members(ctx, e.Chat, page.Query{First: counted, After: cursor})
		if err != nil {
			return err
		}
		next, rows = p.Next, len(p.Items)
		if e.Type != communities.MessageCreated || e.Released { // deleted, or shown later
			return s.recount(ctx, e, p.Items)
		}
		ref := communities.MessageRef{Chat: e.Chat, Moment: e.Message}
		facts, err := s.Store.Facts(ctx, communities.Wanted{Messages: []communities.MessageRef{ref}})
		if err != nil {
			return err
		}
		m := facts.Messages[ref]
		if m == nil {
			return nil
		}
		return s.Store.Count(ctx, m, p.Items)
	})
	return next, rows, err
}

// recount counts again the unread messages of members who had not read a deleted message.
// Its author never had it unread.
func (s *Service) recount(ctx context.Context, e communities.ChatHappened, members []*communities.Member) error {
	key := communities.MessageKey(e.Message)
	var affected []*communities.Member
	from := ""
	for _, m := range members {
		if m.Read < key && m.Counted >= key && m.UserID != e.AuthorID {
			affected = append(affected, m)
			if from == "" || m.Read < from {
				from = m.Read
			}
		}
	}
	if len(affected) == 0 {
		return nil
	}
	unread := make([]int, len(affected))
	list := func(q page.Query) (page.Page[*communities.Message], error) {
		return s.Store.Since(ctx, e.Chat, from, q)
	}
	for message, err := range page.All(list) {
		if err != nil {
			return err
		}
		at := communities.MessageKey(message.Moment)
		for i, m := range affected {
			if at > m.Read && at <= m.Counted && message.Counts(m.UserID) {
				unread[i]++
			}
		}
	}
	return s.Store.Recount(ctx, affected, unread)
}
