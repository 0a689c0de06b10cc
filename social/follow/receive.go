package follow

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// OpenAll brings the follows of a user who has gone public in line with that: who
// asked follows now, and who was denied may ask again. It does nothing for a user who
// is private again, and may be repeated.
func (s *Service) OpenAll(ctx context.Context, id social.UserID) error {
	for _, status := range []social.FollowStatus{social.FollowRequested, social.FollowDenied} {
		next, _ := status.Next(social.Open)
		q := page.Query{First: page.Max}
		for {
			follows, err := s.Store.Followers(ctx, id, status, q)
			if err != nil {
				return err
			}
			for _, f := range follows.Items {
				f.Status = next
				if err := s.open(ctx, social.FollowStep{Follow: f, From: status, Privacy: social.Public}); err != nil {
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
func (s *Service) open(ctx context.Context, step social.FollowStep) error {
	e := step.Event(s.NewID(), s.now())
	err := s.Store.Move(ctx, step, e)
	if refusal.KindOf(err) == refusal.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	s.Events.Committed(ctx, e)
	return nil
}

// UserOpened receives the event of its name.
func (s *Service) UserOpened(ctx context.Context, e social.Event) error {
	return s.OpenAll(ctx, e.UserID)
}

// FollowMoved receives the event of its name. Likes go with a denial, and with a follow
// of a private user that ends.
func (s *Service) FollowMoved(ctx context.Context, e social.Event) error {
	f, err := s.facts(ctx, social.Viewer{UserID: e.FollowerUserID}, e.UserID)
	if err != nil || f.User == nil {
		return err
	}
	ended := e.FollowTo == social.NotFollowing && f.Relation.Follows != social.Following && f.User.Privacy == social.Private
	if ended || f.Relation.Follows == social.FollowDenied {
		return s.Likes.RemoveBetween(ctx, e.FollowerUserID, e.UserID)
	}
	return nil
}
