package follow

import (
	"context"
	"strings"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserOpened brings the follows of a user who has gone public in line with that, a page
// at a time: who asked follows now, and who was denied may ask again. It does nothing
// for a user who is private again.
func (s *Service) UserOpened(ctx context.Context, e social.UserOpened, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	// The cursor is a status and a place in its list.
	status, after := social.FollowRequested, ""
	if cursor != "" {
		name, place, _ := strings.Cut(cursor, " ")
		status, after = social.FollowStatus(name), place
	}
	follows, err := s.Store.Followers(ctx, e.UserID, status, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	to, _ := status.Next(social.Open)
	for _, f := range follows.Items {
		f.Status = to
		if err := s.open(ctx, social.FollowStep{Follow: f, From: status, Privacy: social.Public}); err != nil {
			return "", rows, err
		}
		rows++
	}
	switch {
	case follows.Next != "":
		next = string(status) + " " + follows.Next
	case status == social.FollowRequested:
		next = string(social.FollowDenied) + " "
	}
	return next, rows, nil
}

// open makes a step for a user who has gone public. One that no longer holds is left:
// either the follow has been answered otherwise, or the user is private again.
func (s *Service) open(ctx context.Context, step social.FollowStep) error {
	e := s.Events.New(ctx, step.Moved())
	err := s.Store.Move(ctx, step, e...)
	if refusal.KindOf(err) == refusal.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}

// FollowMoved removes likes with a denial, and with a follow of a private user that
// ends.
func (s *Service) FollowMoved(ctx context.Context, e social.FollowMoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	f, err := s.facts(ctx, social.Viewer{UserID: e.FollowerUserID}, e.FollowedUserID)
	if err != nil || f.User == nil {
		return "", 0, err
	}
	ended := e.To == social.NotFollowing && f.Relation.Follows != social.Following && f.User.Privacy == social.Private
	if ended || f.Relation.Follows == social.FollowDenied {
		return s.Likes.RemoveBetween(ctx, e.FollowerUserID, e.FollowedUserID, cursor)
	}
	return "", 0, nil
}
