package app

import (
	"context"
	"time"

	"stoa/internal/appstore"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// appStore verifies receipts with the App Store.
type appStore struct{ verifier *appstore.Verifier }

// Verify returns the App Store's information about a receipt as of the given time.
func (a appStore) Verify(ctx context.Context, receipt string, now time.Time) (social.AppStoreReceipt, error) {
	if a.verifier == nil {
		return social.AppStoreReceipt{}, refusal.Invalidf("Receipts of the App Store are not accepted here: the setting app-store-bundle is not set")
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
