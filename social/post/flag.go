package post

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// Flag flags a post. It returns the post with the status that it had, even if the flag
// causes it to be archived, or nil if the caller could not see it.
func (s *Service) Flag(ctx context.Context, c social.Caller, id social.PostID, why string, d social.Detail) (*social.SeenPost, error) {
	if err := desk.CheckReason(why); err != nil {
		return nil, err
	}
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
		if former, left := f.FormerFlag(owner); left {
			return nil, s.Flags.MakeRoom(ctx, former)
		}
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), f.Post.PostedAt)
		step, causes, err := s.judged(ctx, f, moderates)
		if err != nil {
			return nil, err
		}
		flag.Reason = why
		step.Flag = &flag
		reported, err := desk.ReportedIn(ctx, s.Cases, f.Post.CaseItem(), f.Post.PostedByUserID, flag.CreatedAt, 1)
		if err != nil {
			return nil, err
		}
		reported = reported.Unchecked(f.Post.Unchecked)
		step.Case = &reported
		opened := decision.Announce(a, reported)
		return f.Flagged().See(users), s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, causes...), opened)...)
	})
}

// judged returns the step for another flag, with its events if the flag removes the post.
func (s *Service) judged(ctx context.Context, f social.PostFacts, byModerator bool) (social.PostStep, []outbox.Event, error) {
	p := f.Post
	weight, err := s.Flags.Weigh(ctx, social.Weighing{
		Kind: social.FlagOnPost, ID: string(p.PostID), By: f.Viewer, Count: p.FlagCount,
		Suffices: func(weight int) bool { return p.Judged(byModerator, weight) != p },
	})
	if err != nil {
		return social.PostStep{}, nil, err
	}
	after := p.Judged(byModerator, weight)
	step := social.PostStep{Before: p, After: after}
	var causes []outbox.Event
	if after.Status != p.Status {
		if step, err = s.step(ctx, p, after); err != nil {
			return step, nil, err
		}
		causes = append(causes, step.StatusChanged(s.Now()))
	}
	if after != p && p.CountsRemoved() {
		step.Forced = 1
		causes = append(causes, social.ContentForciblyRemoved{UserID: p.PostedByUserID, Kind: social.ForcedPosts})
	}
	return step, causes, nil
}

// Decide carries out a moderator's decision about a post with the change of its case. It does
// nothing, and found is false, if the post is gone.
func (s *Service) Decide(ctx context.Context, id social.PostID, v desk.Verdict, c desk.CaseStep, e ...outbox.Record) (found bool, err error) {
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (bool, error) {
		facts, err := s.Store.Facts(ctx, "", []social.PostID{id}, 0)
		f, found := facts[id]
		if !found || err != nil {
			return false, err
		}
		after, forced := f.Post.Decided(v, s.Now())
		step, err := s.step(ctx, f.Post, after)
		if err != nil {
			return false, err
		}
		if v == desk.Keep && f.Post.FlagCount > 0 {
			if step.Cleared, err = s.Flags.Cleared(ctx, social.FlagOnPost, string(id)); err != nil {
				return false, err
			}
		}
		c.Reports = social.Reports(step.Cleared)
		step.Forced, step.Case = forced, &c
		var causes []outbox.Event
		if e := step.StatusChanged(s.Now()); e.From != e.To {
			if e.First() { // it was held
				owner := social.Viewer{UserID: f.Post.PostedByUserID}
				users, err := s.People.Visible(ctx, owner, []social.UserID{owner.UserID}, 0)
				if err != nil {
					return false, err
				}
				step, e.Mentioned = step.Began(users[owner.UserID], s.FollowedByAll, s.Now()), f.Post.Mentioned()
			}
			causes = append(causes, e)
		}
		if forced > 0 {
			causes = append(causes, social.ContentForciblyRemoved{UserID: f.Post.PostedByUserID, Kind: social.ForcedPosts})
		}
		return true, s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, causes...), e)...)
	})
}
