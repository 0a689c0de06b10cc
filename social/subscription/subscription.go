// Package subscription decides who has the DIAMOND level: by the bonus that everybody may
// take once, and by what they bought in the App Store.
//
// What was bought is recorded first, and the level follows from all that there is: it is
// DIAMOND while any of it holds, whatever ends meanwhile.
package subscription

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps levels and what was bought.
type Store interface {
	// SetLevel stores a level of a user, what follows from it for their dating, and e. It
	// fails with Conflict when the profile is gone, or when its level or dating status are
	// not as they were.
	SetLevel(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Expired returns the users whose DIAMOND level ends by a time.
	Expired(ctx context.Context, by time.Time, q page.Query) (page.Page[social.UserID], error)

	// Sub returns a subscription of the App Store, nil when there is none.
	Sub(ctx context.Context, originalTransactionID string) (*social.AppStoreSub, error)
	// Due returns the subscriptions of which the App Store is to be asked by a time, those
	// that wait longest first.
	Due(ctx context.Context, by time.Time, q page.Query) (page.Page[string], error)
	// OfUser returns what a user bought in the App Store, oldest first.
	OfUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.AppStoreSub], error)
	// Add stores a subscription, and e. It fails with ErrTaken when it is known, whosever it
	// is, and with Conflict when its user has no profile.
	Add(ctx context.Context, a social.AppStoreSub, e ...outbox.Record) error
	// Renew stores what the App Store says of a subscription by now, and e. It fails with
	// Conflict when the subscription is gone, or was renewed since.
	Renew(ctx context.Context, before, after social.AppStoreSub, e ...outbox.Record) error
	// Remove removes subscriptions.
	Remove(ctx context.Context, subs []*social.AppStoreSub) error
}

// Users knows profiles.
type Users interface {
	// Profile returns a profile, nil when there is none.
	Profile(ctx context.Context, id social.UserID) (*social.User, error)
}

// AppStore knows receipts.
type AppStore interface {
	// Verify returns what the store says of a receipt, as of a time. A receipt that the
	// store does not vouch for is an error that clients are shown.
	Verify(ctx context.Context, receipt string, now time.Time) (social.AppStoreReceipt, error)
}

// Service decides about subscriptions. All fields must be set.
type Service struct {
	Store    Store
	Users    Users
	AppStore AppStore
	Events   outbox.Sender
}

// Grant gives the caller their bonus.
func (s *Service) Grant(ctx context.Context, c social.Caller) (*social.SeenUser, error) {
	from := c.User
	return retry.OnConflict(func() (*social.SeenUser, error) {
		if from == nil {
			var err error
			if from, err = s.profile(ctx, c.UserID); err != nil {
				return nil, err
			}
		}
		u := from
		from = nil
		to, err := u.GrantBonus(s.Events.Now())
		if err != nil {
			return nil, err
		}
		if err := s.move(ctx, u, to); err != nil {
			return nil, err
		}
		return social.Caller{Viewer: c.Viewer, User: to}.See(), nil
	})
}

// AddReceipt records what the caller bought in the App Store, once the store vouches for
// it. A subscription that has ended is recorded too.
func (s *Service) AddReceipt(ctx context.Context, c social.Caller, receipt string) error {
	now := s.Events.Now()
	r, err := s.AppStore.Verify(ctx, receipt, now)
	if err != nil {
		return err
	}
	e := s.Events.New(ctx, social.AppStoreSubMoved{UserID: c.UserID})
	err = s.Store.Add(ctx, social.NewAppStoreSub(c.UserID, receipt, r, now), e...)
	switch {
	case errors.Is(err, refusal.ErrTaken):
		return refusal.Invalidf("AppStore sub with original transaction ID of `%s` already exists", r.OriginalTransactionID)
	case refusal.KindOf(err) == refusal.Conflict:
		return missing(c.UserID)
	case err != nil:
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}

// settle gives a user the level they are entitled to.
func (s *Service) settle(ctx context.Context, id social.UserID) error {
	_, err := retry.OnConflict(func() (struct{}, error) {
		none := struct{}{}
		u, err := s.Users.Profile(ctx, id)
		if u == nil || err != nil {
			return none, err
		}
		pays, err := s.pays(ctx, u)
		if err != nil {
			return none, err
		}
		to := u.Subscribed(pays, s.Events.Now())
		if to.Subscription == u.Subscription && to.SubscriptionExpiresAt.Equal(u.SubscriptionExpiresAt) {
			return none, nil
		}
		return none, s.move(ctx, u, to)
	})
	return err
}

// pays reports whether anything that a user bought with their present profile holds.
func (s *Service) pays(ctx context.Context, u *social.User) (bool, error) {
	for q := (page.Query{First: page.Max}); ; {
		subs, err := s.Store.OfUser(ctx, u.UserID, q)
		if err != nil {
			return false, err
		}
		for _, a := range subs.Items {
			if a.Status == social.AppStoreActive && !u.Former(a.CreatedAt) {
				return true, nil
			}
		}
		if q.After = subs.Next; q.After == "" {
			return false, nil
		}
	}
}

// move stores another level of a user, and tells of it.
func (s *Service) move(ctx context.Context, from, to *social.User) error {
	events := []outbox.Event{social.UserChanged{UserID: from.UserID}}
	if from.IsDiamond() != to.IsDiamond() {
		events = append(events, social.SubscriptionMoved{UserID: from.UserID})
	}
	e := s.Events.New(ctx, events...)
	if err := s.Store.SetLevel(ctx, from, to, e...); err != nil {
		return err
	}
	s.Events.Committed(ctx, e...)
	return nil
}

// profile returns a profile that has to exist.
func (s *Service) profile(ctx context.Context, id social.UserID) (*social.User, error) {
	u, err := s.Users.Profile(ctx, id)
	if err == nil && u == nil {
		err = missing(id)
	}
	return u, err
}

func missing(id social.UserID) error { return refusal.NotFoundf("User `%s` does not exist", id) }
