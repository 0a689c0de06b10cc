package chat

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the direct chats of a removed profile and makes it leave its groups,
// with a system message, a page of chats at a time. Its messages remain.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	members, err := s.Store.Memberships(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, m := range members.Items {
		if m.JoinedAt.After(e.RemovedAt) {
			continue
		}
		n, err := s.vanish(ctx, e, m.ChatID)
		if err != nil {
			return "", 0, err
		}
		rows += n
	}
	return members.Next, rows, nil
}

// vanish makes a removed user leave a chat. It returns the number of memberships affected.
func (s *Service) vanish(ctx context.Context, e social.UserRemoved, id social.ChatID) (rows int, err error) {
	return retry.OnConflict(func() (int, error) {
		f, err := s.facts(ctx, e.UserID, id, 0)
		if f.Chat == nil || f.Member == nil || f.Member.JoinedAt.After(e.RemovedAt) || err != nil {
			return 0, err
		}
		if f.Chat.Type == social.ChatDirect {
			return f.Chat.UserCount, s.end(ctx, f)
		}
		step, err := s.step(ctx, f)
		if err != nil || !step.Vanish(e.UserID) {
			return 0, err
		}
		if step.After.UserCount == 0 {
			return len(step.Moves), s.remove(ctx, step)
		}
		// The text has no mention: somebody else may have the name now.
		s.system(step, social.GroupLeftText(e.Username), nil, f.Chat.NextMessageAt(s.Events.Now()))
		return len(step.Moves), s.take(ctx, step)
	})
}

// ViewerRemoved deletes the chat views of a removed profile, a page at a time.
func (s *Service) ViewerRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	views, err := s.Store.ViewsByUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	old := before(views.Items, e.RemovedAt)
	return views.Next, len(old), s.Store.ForgetViews(ctx, old)
}

func before(views []social.ChatView, at time.Time) []social.ChatView {
	var old []social.ChatView
	for _, v := range views {
		if !v.FirstViewedAt.After(at) {
			old = append(old, v)
		}
	}
	return old
}
