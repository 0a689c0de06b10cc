package post

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
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
		flag := f.Flag().Dated(c.User.NotBefore(s.Now()), f.Post.PostedAt)
		step, causes, err := s.judged(ctx, f.Post, moderates)
		if err != nil {
			return nil, err
		}
		flag.Reason = why
		step.Flag = &flag
		if err := s.report(ctx, a, &step, flag.CreatedAt); err != nil {
			return nil, err
		}
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
	step.Forced = 1
	return step, []outbox.Event{
		step.StatusChanged(s.Now()),
		social.ContentForciblyRemoved{UserID: p.PostedByUserID, Kind: social.ForcedPosts},
	}, err
}

// report adds one more report to the post's case, which it opens if necessary.
func (s *Service) report(ctx context.Context, a *decision.Attempt, step *social.PostStep, at time.Time) error {
	item := step.Before.CaseItem()
	c, err := s.Cases.Case(ctx, item)
	if err != nil {
		return err
	}
	reported := desk.Reported(c, item, step.Before.PostedByUserID, at, 1)
	step.Case = &reported
	if reported.Opened() {
		a.Tell(desk.CaseOpened{Item: item})
	}
	return nil
}

// maxCleared is the number of flags that are taken off a post in the transaction of a
// decision. Those before them go in transactions of their own.
const maxCleared = 30

// Decide carries out a moderator's decision about a post with the change of its case. It does
// nothing, and found is false, if the post is gone.
func (s *Service) Decide(ctx context.Context, id social.PostID, v desk.Verdict, c desk.CaseStep) (found bool, err error) {
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
		if v == desk.Keep {
			if step.Cleared, err = s.cleared(ctx, f.Post); err != nil {
				return false, err
			}
		}
		for _, flag := range step.Cleared {
			c.Reports = append(c.Reports, flag.Report())
		}
		step.Forced, step.Case = forced, &c
		var causes []outbox.Event
		if e := step.StatusChanged(s.Now()); e.From != e.To {
			causes = append(causes, e)
		}
		if forced > 0 {
			causes = append(causes, social.ContentForciblyRemoved{UserID: f.Post.PostedByUserID, Kind: social.ForcedPosts})
		}
		return true, s.apply(ctx, a, step, causes...)
	})
}

// cleared returns the flags to take off a post with a decision. If there are too many for one
// transaction, it moves some to the case before, and asks to decide again.
func (s *Service) cleared(ctx context.Context, p *social.Post) ([]social.Flag, error) {
	if p.FlagCount == 0 {
		return nil, nil
	}
	flags, err := s.Flags.Of(ctx, social.FlagOnPost, string(p.PostID), page.Query{First: page.Max})
	if err != nil || len(flags.Items) <= maxCleared && flags.Next == "" {
		return flags.Items, err
	}
	for _, f := range flags.Items[maxCleared:] {
		if err := s.Cases.KeepReports(ctx, p.CaseItem(), []desk.Report{f.Report()}); err != nil {
			return nil, err
		}
		if err := s.Flags.Remove(ctx, f); err != nil {
			return nil, err
		}
	}
	return s.cleared(ctx, p)
}
