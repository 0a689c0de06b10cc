package chat

import (
	"cmp"
	"context"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the direct chats of a removed profile and makes it leave its groups,
// with a system message, a page of chats at a time. Its messages remain. Then it deletes the
// profile's chat views: until then, members can view their chats.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	const views = "views "
	if after, left := strings.CutPrefix(cursor, views); left {
		next, rows, err = s.ViewerRemoved(ctx, e, after, tell)
		if next != "" {
			next = views + next
		}
		return next, rows, err
	}
	members, err := s.Store.Memberships(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, m := range members.Items {
		n, err := s.vanish(ctx, e, m.ChatID)
		if err != nil {
			return "", 0, err
		}
		rows += n
	}
	if members.Next == "" {
		return views, rows, nil
	}
	return members.Next, rows, nil
}

// vanish makes a removed user leave a chat, unless they have joined it with a newer profile.
// It returns the number of memberships affected.
func (s *Service) vanish(ctx context.Context, e social.UserRemoved, id social.ChatID) (rows int, err error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (int, error) {
		f, err := s.facts(ctx, e.UserID, id, 0)
		if f.Chat == nil || f.Member == nil || err != nil {
			return 0, err
		}
		left, err := social.Left(ctx, e, s.Users, []*social.ChatMember{f.Member}, func(m *social.ChatMember) time.Time { return m.JoinedAt })
		if len(left) == 0 || err != nil {
			return 0, err
		}
		if f.Chat.Type == social.ChatDirect {
			return f.Chat.UserCount, s.end(ctx, a, f, nil)
		}
		step, err := s.step(ctx, f)
		if err != nil || !step.Vanish(e.UserID) {
			return 0, err
		}
		if step.After.UserCount == 0 {
			return len(step.Moves), s.remove(ctx, a, step)
		}
		// The text has no mention: somebody else may have the name now.
		name := cmp.Or(e.Username, string(e.UserID))
		if e.Erased {
			name = "Somebody"
		}
		s.system(step, social.GroupLeftText(name), nil, step.NextMessageAt(s.Now()))
		return len(step.Moves), s.apply(ctx, a, step)
	})
}

// ViewerRemoved deletes the chat views of a removed profile, a page at a time.
func (s *Service) ViewerRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	views, err := s.Store.ViewsByUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	left, err := social.Left(ctx, e, s.Users, views.Items, func(v social.ChatView) time.Time { return v.FirstViewedAt })
	if err != nil {
		return "", 0, err
	}
	return views.Next, len(left), s.Store.ForgetViews(ctx, left)
}
