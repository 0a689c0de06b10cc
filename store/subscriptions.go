package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Subscriptions stores the subscription levels of users and their App Store purchases.
type Subscriptions struct{ db *keyspec.DB }

// SetLevel stores a user's subscription level, its effects on their dating, and e. It fails
// with Conflict if the profile no longer exists, or its level or dating status has changed.
func (s *Subscriptions) SetLevel(ctx context.Context, from, to *social.User, e ...outbox.Record) error {
	tx := s.db.NewTx()
	before := profileOf(from)
	on := profiles.Change(tx, before, profileOf(to)).If(sameProfile, before.SignedUpAt)
	unchanged(on, "subscriptionLevel", before.Subscription)
	unchanged(on, "subscriptionGrantedAt", before.SubscriptionGrantedAt)
	unchanged(on, "subscriptionExpiresAt", before.SubscriptionExpiresAt)
	unchanged(on, "datingStatus", before.DatingStatus)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// unchanged adds the condition that an attribute still has the value. Zero values are
// stored as absent attributes.
func unchanged[T comparable](on keyspec.Update, attribute string, value T) {
	var absent T
	if value == absent {
		on.If("attribute_not_exists(" + attribute + ")")
	} else {
		on.If(attribute+" = ?", value)
	}
}

// Expired returns the users whose DIAMOND level expires by a time, from K1.
func (s *Subscriptions) Expired(ctx context.Context, by time.Time, q page.Query) (page.Page[social.UserID], error) {
	ended := profiles.Begins(K1, string(social.SubscriptionDiamond)).To(stamp.MicroOf(by))
	return stored.List(ctx, s.db, ended, q, false, func(i *profileItem) social.UserID { return i.UserID })
}

// Sub returns an App Store subscription, or nil if it does not exist.
func (s *Subscriptions) Sub(ctx context.Context, originalTransactionID string) (*social.AppStoreSub, error) {
	return appStoreSubs.Get(ctx, s.db, appStoreSubs.Key(originalTransactionID))
}

// Due returns the subscriptions due to be checked with the App Store by a time, longest
// waiting first, from K1.
func (s *Subscriptions) Due(ctx context.Context, by time.Time, q page.Query) (page.Page[string], error) {
	due := appStoreSubs.Begins(K1).To(stamp.MicroOf(by))
	return stored.List(ctx, s.db, due, q, false, func(a *social.AppStoreSub) string { return a.OriginalTransactionID })
}

// OfUser returns a user's App Store subscriptions, oldest first, from A1.
func (s *Subscriptions) OfUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.AppStoreSub], error) {
	return stored.List(ctx, s.db, appStoreSubs.Begins(A1, string(user)), q, false, stored.Same)
}

// Add stores a subscription, and e. It fails with ErrTaken if the subscription exists, for
// whichever user, and with Conflict if its user has no profile.
func (s *Subscriptions) Add(ctx context.Context, a social.AppStoreSub, e ...outbox.Record) error {
	tx := s.db.NewTx()
	added := appStoreSubs.Create(tx, a)
	profiles.Check(tx, profileKey(a.UserID)).If(hadProfile, a.CreatedAt)
	return stored.Outcome(ops.Commit(ctx, tx, e...), stored.On(refusal.ErrTaken, added))
}

// Renew stores a subscription's new state as reported by the App Store, and e. It fails
// with Conflict if the subscription no longer exists or has been updated since.
func (s *Subscriptions) Renew(ctx context.Context, before, after social.AppStoreSub, e ...outbox.Record) error {
	tx := s.db.NewTx()
	appStoreSubs.Change(tx, before, after).If("lastVerificationAt = ?", before.LastVerificationAt)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Remove removes subscriptions, except those that have been replaced by new ones.
func (s *Subscriptions) Remove(ctx context.Context, subs []*social.AppStoreSub) error {
	for _, a := range subs {
		tx := s.db.NewTx()
		appStoreSubs.Delete(tx, appStoreSubs.KeyOf(a)).If("attribute_not_exists(createdAt) OR createdAt = ?", a.CreatedAt)
		if err := refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx))); err != nil {
			return err
		}
	}
	return nil
}
