// Package follow decides who follows whom: requests, answers, leaving, and the lists
// of both.
//
// A denied request stays on record: its follower can neither leave nor ask again.
package follow

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Store keeps follows.
type Store interface {
	// Move makes a step with all that it counts, and stores e. It fails with Conflict
	// when what the step was decided on no longer holds.
	Move(ctx context.Context, step social.FollowStep, e social.Event) error
	// Followed returns the follows of a user in a status, newest first.
	Followed(ctx context.Context, follower social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
	// Followers returns the follows that a user has received, newest first.
	Followers(ctx context.Context, followed social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)
}

// Feeds keeps what follows put into feeds.
type Feeds interface {
	// Sync makes a follower's feed hold what their present follow of a user puts there.
	Sync(ctx context.Context, follower, followed social.UserID) error
}

// Likes takes likes away.
type Likes interface {
	RemoveBetween(ctx context.Context, liker, owner social.UserID) error
}

// Events is told about events once they are stored.
type Events interface {
	Committed(ctx context.Context, e ...social.Event)
}

// Service is the follow area. Its fields are set once.
type Service struct {
	Store  Store
	Users  social.UserReader
	Feeds  Feeds
	Likes  Likes
	Events Events
	Now    func() time.Time
	NewID  func() string
}

// now is the present to the precision that is stored.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

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
		step, err := f.Ask(s.now())
		return s.move(ctx, f, step, err)
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
	facts, err := s.Users.Facts(ctx, v.UserID, []social.UserID{other}, social.BothWays)
	return facts[other], err
}

// move makes a step unless it was refused, and shows the user of f as they are then.
// Who stops following no longer has the posts in their feed when it returns; who
// starts gets them with the event.
func (s *Service) move(ctx context.Context, f social.UserFacts, step social.FollowStep, refusal error) (*social.SeenUser, error) {
	if refusal != nil {
		return nil, refusal
	}
	e := step.Event(s.NewID(), s.now())
	if err := s.Store.Move(ctx, step, e); err != nil {
		return nil, err
	}
	if step.From == social.Following {
		// The step is made whatever comes of this. The event does it again, and reports
		// what keeps failing.
		_ = s.Feeds.Sync(ctx, step.Follow.FollowerUserID, step.Follow.FollowedUserID)
	}
	s.Events.Committed(ctx, e)
	return f.After(step).See(), nil
}
