package subscription

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Expire ends the levels that have expired.
func (s *Service) Expire(ctx context.Context, now time.Time) error {
	return page.Each(ctx, page.Of(ctx, s.Store.Expired, now), func(id social.UserID) error { return s.updateLevel(ctx, id) })
}

// Verify verifies the subscriptions that are due with the App Store. A subscription that
// the store does not confirm stays unchanged, and is verified again in the next run.
func (s *Service) Verify(ctx context.Context, now time.Time) error {
	return page.Each(ctx, page.Of(ctx, s.Store.Due, now), func(id string) error { return s.verify(ctx, id, now) })
}

func (s *Service) verify(ctx context.Context, id string, now time.Time) error {
	a, err := s.Store.Sub(ctx, id)
	if a == nil || err != nil || a.NextVerificationAt.After(now) {
		return err
	}
	at := s.Now()
	r, err := s.AppStore.Verify(ctx, a.OriginalReceipt, at)
	if err != nil {
		return err
	}
	if r.OriginalTransactionID != a.OriginalTransactionID {
		return fmt.Errorf("the App Store says that the receipt of subscription %s is of %s", id, r.OriginalTransactionID)
	}
	var events []outbox.Event
	if r.Status != a.Status {
		events = append(events, social.AppStoreSubChanged{UserID: a.UserID})
	}
	err = decision.DoOnce(ctx, s.Frame, func(d *decision.Attempt) error {
		return s.Store.Renew(ctx, *a, a.Verified(r, at), d.Emit(events...)...)
	})
	return refusal.IgnoreConflict(err) // verified concurrently, or its user is gone
}
