// Package follow decides who follows whom: requests, answers, leaving, and the lists
// of both.
//
// A denied request stays on record: its follower can neither leave nor ask again.
package follow

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps follows.
type Store interface {
	// Move makes a step with all that it counts, and stores e. It fails with Conflict
	// when what the step was decided on no longer holds.
	Move(ctx context.Context, step social.FollowStep, e ...outbox.Record) error
	// Pair returns the follow between two users; one without a record is NotFollowing.
	Pair(ctx context.Context, follower, followed social.UserID) (social.Follow, error)
	// ByFollower and ByFollowed return the follows of a user, and those that they have
	// received, in whatever status.
	ByFollower(ctx context.Context, follower social.UserID, q page.Query) (page.Page[social.Follow], error)
	ByFollowed(ctx context.Context, followed social.UserID, q page.Query) (page.Page[social.Follow], error)
	// Sever ends a follow of a user who was removed, and stores e. It fails with Conflict
	// when the follow is another by now, or the other's profile.
	Sever(ctx context.Context, end social.Severance, e ...outbox.Record) error
	// Followed returns the follows of a user in a status, newest first.
	Followed(ctx context.Context, follower social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
	// Followers returns the follows that a user has received, newest first.
	Followers(ctx context.Context, followed social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
}

// Likes takes likes away.
type Likes interface {
	// RemoveBetween removes a chunk of the likes of one user on posts of another, and
	// returns where the next one begins, "" at the end, and how many it removed.
	RemoveBetween(ctx context.Context, liker, owner social.UserID, cursor string) (next string, removed int, err error)
}

// Service is the follow area. Its fields are set once.
type Service struct {
	Store  Store
	Users  social.UserReader
	Likes  Likes
	Events outbox.Sender
}

// Request makes the caller follow a public user, or ask a private one.
func (s *Service) Request(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, social.ErrFollowSelf
	}
	again := false
	return retry.OnConflict(func() (*social.SeenUser, error) {
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
		step, err := f.Ask(s.Events.Now())
		if err != nil {
			return nil, err
		}
		for _, left := range f.Former {
			if err := s.severNow(ctx, f.RemovedSince(left), left); err != nil {
				return nil, err
			}
		}
		return s.move(ctx, f, step, nil)
	})
}

// Leave ends the caller's follow of a user, or takes the request back.
func (s *Service) Leave(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, target, func(f social.UserFacts) (social.FollowStep, error) {
		return f.Leave()
	})
}

// Accept lets a user follow the caller who asked to, or who was denied before.
func (s *Service) Accept(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, follower, func(f social.UserFacts) (social.FollowStep, error) {
		return f.Answer(social.Accept)
	})
}

// Deny refuses a request, or takes a follower away.
func (s *Service) Deny(ctx context.Context, c social.Caller, follower social.UserID) (*social.SeenUser, error) {
	return s.decide(ctx, c, follower, func(f social.UserFacts) (social.FollowStep, error) {
		return f.Answer(social.Deny)
	})
}

// decide makes the step that is right between the caller and another user. Somebody
// who does not exist stands to the caller as a stranger does.
func (s *Service) decide(ctx context.Context, c social.Caller, other social.UserID, next func(social.UserFacts) (social.FollowStep, error)) (*social.SeenUser, error) {
	return retry.OnConflict(func() (*social.SeenUser, error) {
		f, err := s.facts(ctx, c.Viewer, other)
		if err != nil {
			return nil, err
		}
		if f.User == nil {
			f = social.NobodyFacts(c.Viewer, other)
		}
		step, err := next(f)
		return s.move(ctx, f, step, err)
	})
}

// facts returns what there is between the viewer and another user; its User is nil
// when nobody has that id.
func (s *Service) facts(ctx context.Context, v social.Viewer, other social.UserID) (social.UserFacts, error) {
	if !other.Valid() {
		return social.UserFacts{}, nil
	}
	facts, err := s.Users.Facts(ctx, v.UserID, []social.UserID{other}, social.BothWays|social.MatchTie)
	return facts[other], err
}

// move makes a step unless it was refused, and shows the user of f as they are then.
// Feeds follow by the event.
func (s *Service) move(ctx context.Context, f social.UserFacts, step social.FollowStep, refusal error) (*social.SeenUser, error) {
	if refusal != nil {
		return nil, refusal
	}
	e := s.Events.New(ctx, step.Moved())
	if err := s.Store.Move(ctx, step, e...); err != nil {
		return nil, err
	}
	s.Events.Committed(ctx, e...)
	return f.After(step).See(), nil
}
