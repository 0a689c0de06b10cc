package user

import (
	"context"
	"errors"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// SetDetails changes the caller's profile. Going public answers all requests to follow
// the caller before it returns.
func (s *Service) SetDetails(ctx context.Context, c social.Caller, details social.UserDetails) (*social.SeenUser, error) {
	if err := details.Check(); err != nil {
		return nil, err
	}
	from := c.User
	return retry.OnConflict(func() (*social.SeenUser, error) {
		if from == nil {
			var err error
			if from, err = s.profile(ctx, c.UserID); err != nil {
				return nil, err
			}
		}
		seen, err := s.change(ctx, c.Viewer, from, details)
		from = nil
		return seen, err
	})
}

func (s *Service) change(ctx context.Context, v social.Viewer, from *social.User, details social.UserDetails) (*social.SeenUser, error) {
	to, differs := details.Of(from, s.now())
	if !differs {
		return own(v, from), nil
	}
	opens := from.Privacy == social.Private && to.Privacy == social.Public
	var events []social.Event
	if opens {
		events = append(events, social.Event{ID: s.NewID(), At: s.now(), Kind: social.UserOpened, UserID: from.UserID})
	}
	err := s.Store.Change(ctx, from, to, events...)
	if errors.Is(err, social.ErrTaken) {
		return nil, refusal.Invalidf("Username `%s` already taken (case-insensitive cmp)", to.Username)
	}
	if err != nil {
		return nil, err
	}
	if !opens {
		return own(v, to), nil
	}
	return s.open(ctx, v, to, events[0])
}

// open answers the requests to follow u, who has gone public. Where that fails the event
// does it later. Otherwise the event must not: it would also take back denials that u
// pronounces from now on.
func (s *Service) open(ctx context.Context, v social.Viewer, u *social.User, opened social.Event) (*social.SeenUser, error) {
	if err := s.Follows.OpenAll(ctx, u.UserID); err != nil {
		s.Events.Committed(ctx, opened)
		return own(v, u), nil
	}
	s.Events.Fulfilled(ctx, opened)
	answered, err := s.Store.Profile(ctx, u.UserID)
	if answered == nil || err != nil {
		return own(v, u), nil
	}
	return own(v, answered), nil
}
