package post

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/outbox"
	"stoa/social"
)

// Flag flags a post. It returns the post with the status that it had, even if the flag
// causes it to be archived, or nil if the caller could not see it.
func (s *Service) Flag(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	moderates, err := s.Moderators.IsModerator(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		facts, err := s.Store.Facts(ctx, c.UserID, []social.PostID{id}, d|social.FlagMark)
		if err != nil {
			return nil, err
		}
		f, found := facts[id]
		if !found {
			return nil, missing(id)
		}
		users, err := s.People.VisibleTo(ctx, c, f.Users(), d|social.BlockedTie)
		if err != nil {
			return nil, err
		}
		owner := f.Owner(users)
		if owner == nil {
			return nil, missing(id)
		}
		if err := f.CheckFlag(owner); err != nil {
			return nil, err
		}
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), f.Post.PostedAt)
		step, causes, err := s.judged(ctx, f.Post, moderates)
		if err != nil {
			return nil, err
		}
		step.Flag = &flag
		return f.Flagged().See(users), s.apply(ctx, a, step, causes...)
	})
}

// judged returns the step for another flag, with its events if the flag archives the post.
func (s *Service) judged(ctx context.Context, p *social.Post, byModerator bool) (social.PostStep, []outbox.Event, error) {
	after := p.Judged(byModerator)
	if after.Status == p.Status {
		return social.PostStep{Before: p, After: after}, nil, nil
	}
	step, err := s.step(ctx, p, after)
	step.Forced = true
	return step, []outbox.Event{
		step.StatusChanged(s.Now()),
		social.ContentForciblyRemoved{UserID: p.PostedByUserID, Kind: social.ForcedPosts},
	}, err
}
