package follow

import (
	"context"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserMadePublic updates the follows of a user who has become public, a page at a time:
// requests are accepted, and denials deleted so that those users may ask again. It does
// nothing if the user has become private again.
func (s *Service) UserMadePublic(ctx context.Context, e social.UserMadePublic, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	// The cursor consists of a status and a position in its list.
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
		step := social.FollowStep{Follow: f, From: status, Privacy: social.Public}
		err := decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			return s.Store.Move(ctx, step, a.Emit(step.StatusChanged())...)
		})
		// On a Conflict, the follow has been answered otherwise, or the user is private again.
		if err := refusal.IgnoreConflict(err); err != nil {
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

// FollowStatusChanged removes the follower's likes when they are denied, or no longer follow a
// private user.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	if e.At.IsZero() {
		if yes, err := s.ended(ctx, e); !yes || err != nil {
			return "", 0, err
		}
	}
	// Later likes may be those of a follower who has been accepted since.
	return s.Likes.RemoveBetween(ctx, e.FollowerUserID, e.FollowedUserID, cursor, func(ctx context.Context) (func(social.Like) bool, error) {
		all, err := s.ended(ctx, e)
		return func(l social.Like) bool { return all || !l.LikedAt.After(e.At) }, err
	})
}

// ended reports whether a change of a follow, as it is now, ends the follower's likes.
func (s *Service) ended(ctx context.Context, e social.FollowStatusChanged) (bool, error) {
	f, err := s.facts(ctx, social.Viewer{UserID: e.FollowerUserID}, e.FollowedUserID)
	if err != nil || f.User == nil {
		return false, err
	}
	left := e.To == social.NotFollowing && f.Relation.Follows != social.Following && f.User.Privacy == social.Private
	return left || f.Relation.Follows == social.FollowDenied, nil
}
