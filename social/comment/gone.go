package comment

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes all comments of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	comments, err := s.Store.ByUser(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	return social.EachLeft(ctx, e, s.Profiles, comments, err, func(c *social.Comment) time.Time { return c.CommentedAt }, func(c *social.Comment) error {
		return s.purge(ctx, c)
	})
}

// purge deletes a comment of a removed profile, if it still exists.
func (s *Service) purge(ctx context.Context, listed *social.Comment) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		c, err := s.Store.Comment(ctx, listed.CommentID)
		if c == nil || !c.CommentedAt.Equal(listed.CommentedAt) || err != nil {
			return err
		}
		on, found, err := s.post(ctx, c.UserID, c.PostID, 0)
		if err != nil {
			return err
		}
		if !found || c.Outlives(on.Post.PostedAt) {
			// Removing the post's leftovers will find no comment whose flags to clear.
			if err := s.Flags.Clear(ctx, social.FlagOnComment, c.FlaggedItem()); err != nil {
				return err
			}
			return s.Store.Purge(ctx, c, nil, false)
		}
		r, err := s.removal(ctx, c, on)
		if err != nil {
			return err
		}
		return s.Store.Purge(ctx, c, on.Post, r.Unviewed, a.Emit(r.Event())...)
	})
}
