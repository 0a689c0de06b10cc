package follow

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved ends the follows of a removed profile, in both directions and whatever their
// status, a page at a time. It updates the counters of the other users only.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (_ string, rows int, err error) {
	const followed, followers = "followed", "followers"
	direction, after, next := page.Lists([]string{followed, followers}, cursor)
	list := s.Store.ByFollower
	if direction == followers {
		list = s.Store.ByFollowed
	}
	follows, err := list(ctx, e.UserID, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	if rows, err = s.severAll(ctx, e, follows.Items); err != nil {
		return "", rows, err
	}
	return next(follows.Next), rows, nil
}

func (s *Service) severAll(ctx context.Context, e social.UserRemoved, follows []social.Follow) (rows int, err error) {
	ends, err := social.Left(ctx, e, s.Profiles, follows, func(f social.Follow) time.Time { return f.FollowedAt })
	if len(ends) == 0 || err != nil {
		return 0, err
	}
	others := slice.Map(ends, func(f social.Follow) social.UserID { return f.Other(e.UserID) })
	left, err := s.Users.Facts(ctx, e.UserID, others, 0)
	if err != nil {
		return 0, err
	}
	for i, f := range ends {
		err := decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			return s.sever(ctx, a, f.Sever(e.UserID, left[others[i]].User))
		})
		if refusal.KindOf(err) == refusal.Conflict {
			err = s.severNow(ctx, e.UserID, f)
		}
		if err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// Sever ends a removed user's follow that was made before the given time, if there is one.
func (s *Service) Sever(ctx context.Context, removed, followed social.UserID, before time.Time) error {
	f, err := s.Store.Pair(ctx, removed, followed)
	if err != nil || f.Status == social.NotFollowing || !f.FollowedAt.Before(before) {
		return err
	}
	return s.severNow(ctx, removed, f)
}

// severNow ends a follow according to its present state and the other user's profile,
// unless it has been replaced.
func (s *Service) severNow(ctx context.Context, removed social.UserID, f social.Follow) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		present, err := s.Store.Pair(ctx, f.FollowerUserID, f.FollowedUserID)
		if err != nil || present.Status == social.NotFollowing || !present.FollowedAt.Equal(f.FollowedAt) {
			return err
		}
		other := f.Other(removed)
		left, err := s.Users.Facts(ctx, removed, []social.UserID{other}, 0)
		if err != nil {
			return err
		}
		return s.sever(ctx, a, present.Sever(removed, left[other].User))
	})
}

func (s *Service) sever(ctx context.Context, a *decision.Attempt, end social.Severance) error {
	return s.Store.Sever(ctx, end, a.Emit(end.Step.StatusChanged())...)
}
