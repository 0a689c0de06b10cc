package user

import (
	"context"
	"errors"

	"stoa"
)

// Create makes the profile of an identity that signed up by itself and verified a
// contact. The new user follows the user named real, if there is one.
func (s *Service) Create(ctx context.Context, v stoa.Viewer, username, fullName string) (*stoa.SeenUser, error) {
	if err := stoa.CheckUsername(username); err != nil {
		return nil, err
	}
	if err := stoa.CheckProfileText("fullName", fullName); err != nil {
		return nil, err
	}
	email, phone, found, err := s.Identity.Account(ctx, v.UserID)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, stoa.Missing("No entry found in cognito user pool with cognito username `%s`", v.UserID)
	case email == "" && phone == "":
		return nil, stoa.Refuse("User `%s` has neither verified email nor phone", v.UserID)
	}
	u := stoa.User{
		UserID: v.UserID, Username: username, FullName: fullName, Email: email, PhoneNumber: phone,
		Privacy: stoa.Public, SignedUpAt: s.now(), LastClient: v.Client.Map(),
	}
	return stoa.Decide(func() (*stoa.SeenUser, error) {
		first, err := s.firstFollow(ctx, u)
		if err != nil {
			return nil, err
		}
		return s.create(ctx, u, first)
	})
}

func (s *Service) create(ctx context.Context, u stoa.User, first *stoa.FollowStep) (*stoa.SeenUser, error) {
	var events []stoa.Event
	if first != nil {
		events = append(events, first.Event(s.NewID(), u.SignedUpAt))
	}
	switch err := s.Store.Create(ctx, &u, first, events...); {
	case errors.Is(err, stoa.ErrHasProfile):
		return nil, stoa.Refuse("User `%s` already exists", u.UserID)
	case errors.Is(err, stoa.ErrTaken):
		return nil, stoa.Refuse("Username `%s` already taken (case-insensitive comparison)", u.Username)
	case err != nil:
		return nil, err
	}
	if first != nil {
		u.FollowedCount, _ = first.Shift()
	}
	s.Events.Committed(ctx, events...)
	return self(&u), nil
}

// firstFollow is the step by which a new user follows the user named real; nil when
// nobody is, or when they could not be followed.
func (s *Service) firstFollow(ctx context.Context, u stoa.User) (*stoa.FollowStep, error) {
	holders, err := s.Store.Holders(ctx, []string{stoa.RealUsername})
	if err != nil {
		return nil, err
	}
	holder, ok := holders[stoa.RealUsername]
	if !ok || holder.Username != stoa.RealUsername || holder.UserID == u.UserID {
		return nil, nil
	}
	facts, err := s.Store.Facts(ctx, u.UserID, []stoa.UserID{holder.UserID}, stoa.BothWays)
	if err != nil {
		return nil, err
	}
	f, ok := facts[holder.UserID]
	if !ok {
		return nil, nil
	}
	step, refusal := f.Ask(u.UserID, u.SignedUpAt)
	if refusal != nil {
		return nil, nil
	}
	return &step, nil
}
