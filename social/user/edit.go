package user

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// SetDetails changes the caller's profile. If it becomes public, all requests to follow the
// caller are answered before SetDetails returns.
func (s *Service) SetDetails(ctx context.Context, c social.Caller, edit social.UserEdit) (*social.SeenUser, error) {
	if err := edit.CheckFirst(); err != nil {
		return nil, err
	}
	from := c.User
	to, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.User, error) {
		if from == nil {
			var err error
			if from, err = s.profile(ctx, c.UserID); err != nil {
				return nil, err
			}
		}
		if err := s.checkEdit(ctx, from, edit); err != nil {
			return nil, err
		}
		before := from
		from = nil
		return s.change(ctx, a, before, edit)
	})
	if err != nil {
		return nil, err
	}
	if c.User.Privacy == social.Private && to.Privacy == social.Public { // requests to follow have been answered
		if answered, err := s.Store.Profile(ctx, to.UserID); answered != nil && err == nil {
			to = answered
		}
	}
	return own(c.Viewer, to), nil
}

// checkEdit refuses an invalid edit. It does not change anything, but returns the error
// that clients expect: a taken username comes before all others.
func (s *Service) checkEdit(ctx context.Context, u *social.User, edit social.UserEdit) error {
	wrong := s.checkPhoto(ctx, u, edit)
	if wrong == nil {
		wrong = edit.Check(u)
	}
	if edit.Username == nil || *edit.Username == u.Username || wrong == nil && !s.ReservedUsername(*edit.Username) {
		return wrong
	}
	holder, held, err := s.UserIDByUsername(ctx, *edit.Username)
	others := held && holder != u.UserID
	if err == nil && !held {
		others, err = s.reservedFor(ctx, u.UserID, *edit.Username)
	}
	switch {
	case err != nil:
		return err
	case others:
		return taken(*edit.Username)
	default:
		return wrong
	}
}

func taken(username string) error {
	return refusal.Invalidf("Username `%s` already taken (case-insensitive cmp)", username)
}

// change stores an edit and returns the user with them.
func (s *Service) change(ctx context.Context, a *decision.Attempt, from *social.User, edit social.UserEdit) (*social.User, error) {
	to, differs := edit.Of(from, s.Now())
	if !differs {
		return from, nil
	}
	if err := s.keepPhoto(ctx, from, edit); err != nil {
		return nil, err
	}
	changed := social.UserChanged{UserID: from.UserID}
	if to.Username != from.Username {
		changed.FormerUsername = from.Username
	}
	events := []outbox.Event{changed}
	if edit.NewPhoto(from) != "" {
		events = append(events, social.UserPhotoSet{UserID: from.UserID, At: from.NotBefore(s.Now())})
	}
	if from.Privacy == social.Private && to.Privacy == social.Public {
		events = append(events, social.UserMadePublic{UserID: from.UserID})
	}
	err := s.Store.Change(ctx, from, to, a.Emit(events...)...)
	if errors.Is(err, refusal.ErrTaken) {
		err = taken(to.Username)
	}
	return to, err
}
