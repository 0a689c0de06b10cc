package comment

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Decide carries out a moderator's decision about a comment with the change of its case. It
// does nothing, and found is false, if the comment is gone and its case does not keep it.
func (s *Service) Decide(ctx context.Context, id social.CommentID, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		comment, err := s.Store.Comment(ctx, id)
		if err != nil {
			return false, err
		}
		if comment == nil {
			if v == desk.Keep && c.Before.IsKept(s.Now()) {
				return s.restore(ctx, c, e...)
			}
			return false, nil
		}
		on, found, err := s.post(ctx, comment.UserID, comment.PostID, 0)
		if !found || err != nil || comment.Outlives(on.Post.PostedAt) {
			return false, err
		}
		if v == desk.Remove {
			return true, s.forceOut(ctx, a, comment, on, c, desk.RemovedByModerator, e...)
		}
		if comment.Held {
			return true, s.release(ctx, a, comment, on, c, e...)
		}
		var cleared []social.Flag
		if comment.FlagCount > 0 {
			if cleared, err = s.Flags.Cleared(ctx, social.FlagOnComment, string(id)); err != nil {
				return false, err
			}
		}
		c.Reports = social.Reports(cleared)
		kept := *comment
		kept.KeptAt = s.Now()
		return true, s.Store.Keep(ctx, &kept, cleared, c, e...)
	})
}

// restore brings a removed comment back, unless its post or its author is gone.
func (s *Service) restore(ctx context.Context, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	comment, err := desk.Restored[social.Comment](c.Before.Kept)
	if err != nil {
		return false, err
	}
	on, found, err := s.post(ctx, "", comment.PostID, 0)
	if !found || err != nil || comment.Outlives(on.Post.PostedAt) {
		return false, err
	}
	author, err := s.Profiles.Profile(ctx, comment.UserID)
	if author == nil || err != nil || author.Former(comment.CommentedAt) {
		return false, err
	}
	if err := s.Flags.Drop(ctx, social.FlagOnComment, string(comment.CommentID)); err != nil {
		return false, err
	}
	comment.FlagCount, comment.KeptAt, comment.Held = 0, s.Now(), false
	r, err := s.removal(ctx, comment, on)
	if err != nil {
		return false, err
	}
	in := c.Restoring()
	r.Forced, r.Case = true, &in
	if err := s.Store.Restore(ctx, r, e...); !errors.Is(err, refusal.ErrTaken) {
		return true, err
	}
	return false, nil
}
