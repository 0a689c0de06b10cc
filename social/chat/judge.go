package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// JudgeAdded removes a new message with a bad word.
func (s *Service) JudgeAdded(ctx context.Context, e social.ChatMessageAdded, _ outbox.Tell) error {
	return s.judge(ctx, e.Message)
}

// JudgeEdited removes an edited message with a bad word.
func (s *Service) JudgeEdited(ctx context.Context, e social.ChatMessageEdited, _ outbox.Tell) error {
	return s.judge(ctx, e.Message)
}

// BadWordsReplaced checks all messages against the new dictionary, a page at a time.
func (s *Service) BadWordsReplaced(ctx context.Context, _ social.BadWordsReplaced, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	all, err := s.Store.AllMessages(ctx, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, m := range all.Items {
		if !s.BadWords.In(m.Text) {
			continue
		}
		if err := s.judge(ctx, *m); err != nil {
			return "", rows, err
		}
		rows++
	}
	return all.Next, rows, nil
}

// judge removes a message whose present text has a bad word, unless the other members of
// its chat trust the author. System messages are not checked.
func (s *Service) judge(ctx context.Context, said social.ChatMessage) error {
	if said.UserID == "" || !s.BadWords.In(said.Text) {
		return nil
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		m, err := s.Store.Message(ctx, said.MessageID)
		if m == nil || err != nil || m.UserID != said.UserID || m.Kept() || !s.BadWords.In(m.Text) {
			return err
		}
		in, err := s.facts(ctx, m.UserID, m.ChatID, 0)
		if in.Chat == nil || err != nil {
			return err
		}
		trusted, err := s.trusted(ctx, in.Chat, m.UserID)
		if trusted || err != nil {
			return err
		}
		c, err := desk.ReportedIn(ctx, s.Cases, m.CaseItem(), m.UserID, s.Now(), 0)
		if err != nil {
			return err
		}
		c = c.Unchecked(m.Unchecked)
		return s.forceOut(ctx, a, in, m, c, desk.RemovedByWords, decision.Announce(a, c)...)
	})
}

// trusted reports whether the other members of a chat trust the author.
func (s *Service) trusted(ctx context.Context, c *social.Chat, author social.UserID) (bool, error) {
	members, err := s.Store.Members(ctx, c.ChatID)
	if err != nil {
		return false, err
	}
	var ids []social.UserID
	for _, m := range members {
		if m.UserID != author {
			ids = append(ids, m.UserID)
		}
	}
	users, err := s.People.Visible(ctx, social.Viewer{UserID: author}, ids, social.FollowerTie)
	if err != nil {
		return false, err
	}
	others := slice.Map(ids, func(id social.UserID) *social.SeenUser { return users[id] })
	return c.Trusts(others), nil
}
