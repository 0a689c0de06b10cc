package message

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// EraseMessages makes the messages of an erased user in groups tombstones of nobody, a page at a
// time.
func (s *Service) EraseMessages(ctx context.Context, e messaging.AccountEnded, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.By(ctx, e.User, page.Query{First: page.Max, After: cursor})
	return page.Chunk(p, err, func(m *messaging.Message) error { return s.eraseMessage(ctx, m) })
}

func (s *Service) eraseMessage(ctx context.Context, m *messaging.Message) error {
	if m.Seq < 0 { // nobody else knows of it
		return refusal.IgnoreConflict(s.Store.Withdraw(ctx, m, nil))
	}
	if m.DeletedAt.IsZero() {
		gone := messaging.Happened{News: messaging.News{Kind: messaging.MessagesDeleted, Topic: m.Topic, User: m.From, Seqs: []int{m.Seq}}}
		err := decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			return s.Store.Erase(ctx, []*messaging.Message{m.Erased(s.Now())}, a.Emit(gone)...)
		})
		if refusal.IgnoreConflict(err) != nil { // deleted meanwhile
			return err
		}
	}
	return refusal.IgnoreConflict(s.Store.Disown(ctx, []*messaging.Message{m})) // removed meanwhile
}
