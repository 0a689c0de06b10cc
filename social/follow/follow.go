// Package follow manages follows: requests, their answers, unfollowing, and the lists of
// followed users and followers.
//
// A denied request stays on record: its follower can neither withdraw it nor ask again.
package follow

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores follows.
type Store interface {
	social.FollowReader
	// Move stores a step with its counters, and e. It fails with Conflict if a condition of
	// the step no longer holds.
	Move(ctx context.Context, step social.FollowStep, e ...outbox.Record) error
	// ByFollower returns a user's follows and ByFollowed the follows of them by others, in
	// any status.
	ByFollower(ctx context.Context, follower social.UserID, q page.Query) (page.Page[social.Follow], error)
	ByFollowed(ctx context.Context, followed social.UserID, q page.Query) (page.Page[social.Follow], error)
	// Sever ends a follow of a removed user, and stores e. It fails with Conflict if the
	// follow or the other user's profile has been replaced.
	Sever(ctx context.Context, end social.Severance, e ...outbox.Record) error
	// Followed returns a user's follows of the given status, newest first.
	Followed(ctx context.Context, follower social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
}

// Service implements the follow area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Users    social.UserReader
	Profiles social.ProfileReader
	Likes    social.LikeRemover
	// FanOutLimit is that of feeds.
	FanOutLimit int
}

// Request makes the caller follow a public user, or sends a request to a private one.
func (s *Service) Request(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, social.ErrFollowSelf
	}
	again := false
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (_ *social.SeenUser, err error) {
		if again {
			if c, err = c.Renewed(ctx, s.Profiles); err != nil {
				return nil, err
			}
		}
		f, err := s.facts(ctx, c.Viewer, target)
		if err != nil {
			return nil, err
		}
		if f.User == nil {
			return nil, refusal.NotFoundf("No user profile found for followed `%s`", target)
		}
		if err := f.AskedMeanwhile(); again && err != nil {
			return nil, err
		}
		again = true
		step, err := f.Ask(c.User, s.Now())
		if err != nil {
			return nil, err
		}
		for _, left := range f.Former {
			if err := s.severNow(ctx, f.RemovedSince(left), left); err != nil {
				return nil, err
			}
		}
		after := f.After(step)
		step = step.WithoutEvent(after.User, s.FanOutLimit)
		var events []outbox.Record
		if step.Postless {
			a.Tell(social.FollowsChanged(c.UserID))
		} else {
			events = a.Emit(step.StatusChanged())
		}
		return after.See(), s.Store.Move(ctx, step, events...)
	})
}

// Leave makes the caller unfollow a user or withdraw a request.
func (s *Service) Leave(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, target, social.UserFacts.Leave)
}

// Accept accepts a user's request to follow the caller, even if it was denied before.
func (s *Service) Accept(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, follower, func(f social.UserFacts) (social.FollowStep, error) {
		return f.Answer(social.Accept)
	})
}

// Deny denies a user's request to follow the caller, or removes a follower.
func (s *Service) Deny(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, follower, func(f social.UserFacts) (social.FollowStep, error) {
		return f.Answer(social.Deny)
	})
}

// decide stores the step returned by next for the caller and another user. A user who does
// not exist is treated as a stranger. Feeds are updated when the event is received.
func (s *Service) decide(
	ctx context.Context, c social.Caller, other social.UserID, next func(social.UserFacts) (social.FollowStep, error),
) (*social.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		f, err := s.facts(ctx, c.Viewer, other)
		if err != nil {
			return nil, err
		}
		if f.User == nil {
			f = social.NobodyFacts(c.Viewer, other)
		}
		step, err := next(f)
		if err != nil {
			return nil, err
		}
		e := step.StatusChanged()
		if e.To == social.FollowDenied {
			e.At = s.Now()
		}
		return f.After(step).See(), s.Store.Move(ctx, step, a.Emit(e)...)
	})
}

// facts returns the facts of another user for the viewer. User is nil if the user does not
// exist.
func (s *Service) facts(ctx context.Context, v social.Viewer, other social.UserID) (social.UserFacts, error) {
	if !other.Possible() {
		return social.UserFacts{}, nil
	}
	facts, err := s.Users.Facts(ctx, v.UserID, []social.UserID{other}, social.BothWays|social.MatchTie)
	return facts[other], err
}
