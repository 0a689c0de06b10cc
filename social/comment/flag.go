package comment

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Flag flags a comment. It returns the comment as it was and flagged, even if the flag
// causes its removal.
func (s *Service) Flag(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error) {
	moderates, err := s.Moderators.IsModerator(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenComment, error) {
		f, on, found, err := s.find(ctx, c.UserID, id, d|social.FlagMark, d|social.ViewMark)
		if err != nil {
			return nil, err
		}
		missing := refusal.NotFoundf("Comment `%s` does not exist", id)
		if !found {
			return nil, missing
		}
		users, err := c.With(ctx, s.People, append(f.Users(), on.Users()...), d|social.BlockedTie)
		if err != nil {
			return nil, err
		}
		owner, author := on.Owner(users), users[f.Comment.UserID]
		if owner == nil || author == nil {
			return nil, missing
		}
		if err := f.CheckFlag(on, owner, author); err != nil {
			return nil, err
		}
		answer := f.AsFlagged().On(on).See(users)
		if f.Comment.Condemned(c.UserID, moderates, on.Post) {
			return answer, s.forceOut(ctx, a, f.Comment, on)
		}
		return answer, s.Store.Flag(ctx, f.Comment, on.Post, f.Flag().Dated(c.User.NotBefore(s.Now()), f.Comment.CommentedAt))
	})
}

// forceOut removes a comment on a post by moderation.
func (s *Service) forceOut(ctx context.Context, a *decision.Attempt, c *social.Comment, on social.PostFacts) error {
	r, err := s.removal(ctx, c, on)
	if err != nil {
		return err
	}
	r.Forced = true
	return s.Store.Remove(ctx, r, a.Emit(r.Event(), social.ContentForciblyRemoved{UserID: c.UserID, Kind: social.ForcedComments})...)
}
