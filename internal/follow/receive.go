package follow

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// OpenAll brings the follows of a user who has gone public in line with that: who
// asked follows now, and who was denied may ask again. It does nothing for a user who
// is private again, and may be repeated.
func (s *Service) OpenAll(ctx context.Context, id stoa.UserID) error {
	for _, status := range []stoa.FollowStatus{stoa.Requested, stoa.FollowDenied} {
		next, _ := status.Next(stoa.Open)
		q := page.Query{First: page.Max}
		for {
			follows, err := s.Store.Followers(ctx, id, status, q)
			if err != nil {
				return err
			}
			for _, f := range follows.Items {
				f.Status = next
				if err := s.open(ctx, stoa.FollowStep{Follow: f, From: status, Privacy: stoa.Public}); err != nil {
					return err
				}
			}
			if follows.Next == "" {
				break
			}
			q.After = follows.Next
		}
	}
	return nil
}

// open makes a step of OpenAll. One that no longer holds is left: either the follow has
// been answered otherwise, or the user is private again.
func (s *Service) open(ctx context.Context, step stoa.FollowStep) error {
	e := step.Event(s.NewID(), s.now())
	err := s.Store.Move(ctx, step, e)
	if stoa.KindOf(err) == stoa.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	s.Events.Committed(ctx, e)
	return nil
}

// UserOpened receives the event of its name.
func (s *Service) UserOpened(ctx context.Context, e stoa.Event) error {
	return s.OpenAll(ctx, e.UserID)
}

// FollowMoved receives the event of its name. Likes go with a denial, and with a follow
// of a private user that ends.
func (s *Service) FollowMoved(ctx context.Context, e stoa.Event) error {
	f, err := s.facts(ctx, e.FollowerUserID, e.UserID)
	if err != nil || f.User == nil {
		return err
	}
	ended := e.FollowTo == stoa.NotFollowing && f.Relation.Follows != stoa.Following && f.User.Privacy == stoa.Private
	if ended || f.Relation.Follows == stoa.FollowDenied {
		return s.Likes.RemoveBetween(ctx, e.FollowerUserID, e.UserID)
	}
	return nil
}
