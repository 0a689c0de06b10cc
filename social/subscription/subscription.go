// Package subscription manages the DIAMOND level, which users get by a bonus that each may
// take once, and by subscriptions bought in the App Store.
//
// A subscription is recorded first, and the level is derived from all there are: it is
// DIAMOND while any of them is valid, whichever others end.
package subscription

import (
	"context"
	"errors"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores levels and subscriptions.
type Store interface {
	// SetLevel stores a user's level, its effect on their dating, and e. It fails with
	// Conflict if the profile is gone, or its level or dating status has changed.
	SetLevel(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Expired returns the users whose DIAMOND level expires by the given time.
	Expired(ctx context.Context, by time.Time, q page.Query) (page.Page[social.UserID], error)

	// Sub returns an App Store subscription, or nil if it does not exist.
	Sub(ctx context.Context, originalTransactionID string) (*social.AppStoreSub, error)
	// Due returns the subscriptions due for verification at the given time, the longest due
	// first.
	Due(ctx context.Context, by time.Time, q page.Query) (page.Page[string], error)
	// OfUser returns a user's App Store subscriptions, oldest first.
	OfUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.AppStoreSub], error)
	// Add stores a subscription and e. It fails with ErrTaken if it is already stored, for
	// any user, and with Conflict if its user has no profile.
	Add(ctx context.Context, a social.AppStoreSub, e ...outbox.Record) error
	// Renew stores a verified subscription and e. It fails with Conflict if the
	// subscription is gone, or was renewed since.
	Renew(ctx context.Context, before, after social.AppStoreSub, e ...outbox.Record) error
	// Remove deletes subscriptions, unless they have been replaced.
	Remove(ctx context.Context, subs []*social.AppStoreSub) error
}

// AppStore verifies receipts.
type AppStore interface {
	// Verify returns the App Store's information about a receipt as of the given time. If
	// the store does not confirm the receipt, the error is shown to clients.
	Verify(ctx context.Context, receipt string, now time.Time) (social.AppStoreReceipt, error)
}

// Service implements the subscription area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Users    social.ProfileReader
	AppStore AppStore
}

// Grant grants the caller their bonus.
func (s *Service) Grant(ctx context.Context, c social.Caller) (*social.SeenUser, error) {
	from := c.User
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		if from == nil {
			var err error
			if from, err = s.profile(ctx, c.UserID); err != nil {
				return nil, err
			}
		}
		u := from
		from = nil
		to, err := u.GrantBonus(s.Now())
		if err != nil {
			return nil, err
		}
		return social.Caller{Viewer: c.Viewer, User: to}.See(), s.move(ctx, a, u, to)
	})
}

// AddReceipt records the caller's App Store subscription after verifying its receipt, even
// if it has expired.
func (s *Service) AddReceipt(ctx context.Context, c social.Caller, receipt string) error {
	now := s.Now()
	r, err := s.AppStore.Verify(ctx, receipt, now)
	if err != nil {
		return err
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		e := a.Emit(social.AppStoreSubChanged{UserID: c.UserID})
		err := s.Store.Add(ctx, social.NewAppStoreSub(c.UserID, receipt, r, c.User.NotBefore(now)), e...)
		switch {
		case errors.Is(err, refusal.ErrTaken):
			return s.release(ctx, r.OriginalTransactionID)
		case refusal.KindOf(err) == refusal.Conflict:
			return missing(c.UserID)
		default:
			return err
		}
	})
}

// release deletes a subscription that a former profile has left, and returns a Conflict. It refuses
// any other subscription.
func (s *Service) release(ctx context.Context, id string) error {
	a, err := s.Store.Sub(ctx, id)
	if err != nil {
		return err
	}
	if a != nil {
		owner, err := s.Users.Profile(ctx, a.UserID)
		if err != nil {
			return err
		}
		if owner != nil && !owner.Former(a.CreatedAt) {
			return refusal.Invalidf("AppStore sub with original transaction ID of `%s` already exists", id)
		}
		if err := s.Store.Remove(ctx, []*social.AppStoreSub{a}); err != nil {
			return err
		}
	}
	return refusal.ErrChanged
}

// updateLevel updates a user's level to what they are entitled to.
func (s *Service) updateLevel(ctx context.Context, id social.UserID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		u, err := s.Users.Profile(ctx, id)
		if u == nil || err != nil {
			return err
		}
		pays, err := s.pays(ctx, u)
		if err != nil {
			return err
		}
		to := u.Subscribed(pays, s.Now())
		if to.Subscription == u.Subscription && to.SubscriptionExpiresAt.Equal(u.SubscriptionExpiresAt) {
			return nil
		}
		return s.move(ctx, a, u, to)
	})
}

// pays reports whether the user has a valid subscription bought with their present profile.
func (s *Service) pays(ctx context.Context, u *social.User) (bool, error) {
	for a, err := range page.All(page.Of(ctx, s.Store.OfUser, u.UserID)) {
		if err != nil {
			return false, err
		}
		if a.Status == social.AppStoreActive && !u.Former(a.CreatedAt) {
			return true, nil
		}
	}
	return false, nil
}

// move stores a user's new level with its event.
func (s *Service) move(ctx context.Context, a *decision.Attempt, from, to *social.User) error {
	events := []outbox.Event{social.UserChanged{UserID: from.UserID}}
	if from.IsDiamond() != to.IsDiamond() {
		events = append(events, social.SubscriptionLevelChanged{UserID: from.UserID})
	}
	return s.Store.SetLevel(ctx, from, to, a.Emit(events...)...)
}

// profile returns a profile, or an error if it does not exist.
func (s *Service) profile(ctx context.Context, id social.UserID) (*social.User, error) {
	u, err := s.Users.Profile(ctx, id)
	if err == nil && u == nil {
		err = missing(id)
	}
	return u, err
}

func missing(id social.UserID) error { return refusal.NotFoundf("User `%s` does not exist", id) }
