package app

import (
	"context"
	"errors"
	"time"

	"stoa/internal/appstore"
	"stoa/social"
)

// appStore verifies receipts with the App Store.
type appStore struct{ verifier *appstore.Verifier }

// Verify returns the App Store's information about a receipt as of the given time.
func (a appStore) Verify(ctx context.Context, receipt string, now time.Time) (social.AppStoreReceipt, error) {
	if a.verifier == nil {
		return social.AppStoreReceipt{}, errors.New("no App Store is configured")
	}
	r, err := a.verifier.Verify(ctx, receipt)
	if err != nil {
		return social.AppStoreReceipt{}, err
	}
	return social.AppStoreReceipt{
		OriginalTransactionID: r.OriginalTransactionID, Status: social.AppStoreStatus(r.Status(now)),
		Latest: r.Latest, Info: r.Info, PendingRenewal: r.PendingRenewal,
	}, nil
}
