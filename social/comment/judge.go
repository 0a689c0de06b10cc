package comment

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// CommentAdded removes a new comment with a bad word.
func (s *Service) CommentAdded(ctx context.Context, e social.CommentAdded, _ outbox.Tell) error {
	return s.judge(ctx, e.CommentID)
}

// BadWordsReplaced checks all comments against the new dictionary, a page at a time.
func (s *Service) BadWordsReplaced(ctx context.Context, _ social.BadWordsReplaced, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	all, err := s.Store.All(ctx, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	for _, c := range all.Items {
		if !s.BadWords.In(c.Text) {
			continue
		}
		if err := s.judge(ctx, c.CommentID); err != nil {
			return "", rows, err
		}
		rows++
	}
	return all.Next, rows, nil
}

// judge removes a comment with a bad word by moderation. Users who follow each other are
// exempt, but not owners on their own posts.
func (s *Service) judge(ctx context.Context, id social.CommentID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		c, err := s.Store.Comment(ctx, id)
		if c == nil || err != nil || c.Kept() || !s.BadWords.In(c.Text) {
			return err
		}
		on, found, err := s.post(ctx, c.UserID, c.PostID, 0)
		if !found || err != nil || c.Outlives(on.Post.PostedAt) {
			return err
		}
		if owner := on.Post.PostedByUserID; owner != c.UserID {
			users, err := s.People.Visible(ctx, social.Viewer{UserID: c.UserID}, []social.UserID{owner}, social.FollowerTie)
			if err != nil || users[owner] != nil && users[owner].Mutual() {
				return err
			}
		}
		in, err := desk.ReportedIn(ctx, s.Cases, c.CaseItem(), c.UserID, s.Now(), 0)
		if err != nil {
			return err
		}
		in = in.Unchecked(c.Unchecked)
		return s.forceOut(ctx, a, c, on, in, desk.RemovedByWords, decision.Announce(a, in)...)
	})
}
