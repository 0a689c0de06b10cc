package user

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Create creates the profile of an identity that signed up by itself and verified a
// contact. The new user follows the user whom everybody follows, if there is one.
func (s *Service) Create(ctx context.Context, v social.Viewer, username, fullName string) (*social.SeenUser, error) {
	if err := social.CheckUsername(username); err != nil {
		return nil, err
	}
	if err := social.CheckProfileText("fullName", fullName); err != nil {
		return nil, err
	}
	email, phone, found, err := s.Identity.Account(ctx, v.UserID)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, refusal.NotFoundf("No entry found in cognito user pool with cognito username `%s`", v.UserID)
	case email == "" && phone == "":
		return nil, refusal.Invalidf("User `%s` has neither verified email nor phone", v.UserID)
	}
	u := social.User{Username: username, FullName: fullName, Email: email, PhoneNumber: phone}
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*social.SeenUser, error) {
		return s.create(ctx, v, u, identity.Change{}, "Username `%s` already taken (case-insensitive comparison)")
	})
}

// create makes one attempt to create a public profile of u, with a change of the account and
// the first follow. taken is the error format for a username that is in use.
func (s *Service) create(ctx context.Context, v social.Viewer, u social.User, account identity.Change, taken string) (*social.SeenUser, error) {
	switch reserved, err := s.reservedFor(ctx, v.UserID, u.Username); {
	case err != nil:
		return nil, err
	case reserved:
		return nil, refusal.Invalidf(taken, u.Username)
	}
	var names []string
	if name := s.FollowedByAll.Username(); name != "" {
		names = append(names, name)
	}
	before, err := s.Store.Prospect(ctx, v.UserID, names...)
	if err != nil {
		return nil, err
	}
	leader, led := s.FollowedByAll.Holder(before.Holders)
	led = led && leader != v.UserID
	u.UserID, u.Privacy, u.LastClient = v.UserID, social.Public, v.Client.Map()
	u.SignedUpAt = before.SignUpAt(s.Now())
	if led && !before.RemovedAt.IsZero() && s.Ties != nil {
		// The first follow would conflict with that of the former profile.
		if err := s.Ties.Sever(ctx, u.UserID, leader, u.SignedUpAt); err != nil {
			return nil, err
		}
	}
	u.PlaceholderPhotoCode = social.PlaceholderPhoto(s.Placeholders, u.UserID, u.SignedUpAt)
	var first *social.FollowStep
	if led {
		if first, err = s.firstFollow(ctx, u, leader); err != nil {
			return nil, err
		}
	}
	events := []outbox.Event{social.UserCreated{UserID: u.UserID}}
	if first != nil {
		events = append(events, first.StatusChanged())
	}
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		switch err := s.Store.Create(ctx, &u, first, account, a.Emit(events...)...); {
		case errors.Is(err, social.ErrHasProfile):
			return nil, refusal.Invalidf("User `%s` already exists", u.UserID)
		case errors.Is(err, refusal.ErrTaken):
			return nil, refusal.Invalidf(taken, u.Username)
		case err != nil:
			return nil, err
		}
		if first != nil {
			u.FollowedCount, _ = first.Shift()
		}
		u.CardCount = 1 // the card that every new user gets from the event before the response
		return own(v, &u), nil
	})
}

// firstFollow returns the step by which a new user follows the user whom everybody follows,
// or nil if they do not exist or cannot be followed.
func (s *Service) firstFollow(ctx context.Context, u social.User, leader social.UserID) (*social.FollowStep, error) {
	facts, err := s.Store.Facts(ctx, u.UserID, []social.UserID{leader}, social.BothWays)
	if err != nil {
		return nil, err
	}
	f, ok := facts[leader]
	if !ok {
		return nil, nil
	}
	step, refusal := f.Ask(&u, u.SignedUpAt)
	if refusal != nil {
		return nil, nil
	}
	return &step, nil
}
