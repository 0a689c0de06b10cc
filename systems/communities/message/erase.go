package message

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// EraseMessages makes the messages of an erased user in group chats tombstones of nobody, a page
// at a time.
func (s *Service) EraseMessages(ctx context.Context, e communities.UserDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.By(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	return page.Chunk(p, err, func(m *communities.Message) error { return s.eraseMessage(ctx, m.MessageRef) })
}

func (s *Service) eraseMessage(ctx context.Context, ref communities.MessageRef) error {
	err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		m, r, err := s.alone(ctx, ref)
		if m == nil || m.Deleted || err != nil {
			return err
		}
		return s.erase(ctx, a, r, m, m.AuthorID, nil)
	})
	if err != nil {
		return err
	}
	m, _, err := s.alone(ctx, ref)
	if m == nil || err != nil {
		return err
	}
	return refusal.IgnoreConflict(s.Store.Disown(ctx, m)) // removed with its chat
}

// alone reads a message with its chat for nobody. The message is nil if either is gone.
func (s *Service) alone(ctx context.Context, ref communities.MessageRef) (*communities.Message, *room, error) {
	facts, err := s.Store.Facts(ctx, communities.Wanted{Chats: []communities.ChatRef{ref.Chat}, Messages: []communities.MessageRef{ref}})
	if err != nil || facts.Chats[ref.Chat] == nil {
		return nil, nil, err
	}
	return facts.Messages[ref], &room{Chat: facts.Chats[ref.Chat]}, nil
}
