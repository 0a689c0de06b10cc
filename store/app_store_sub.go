package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A subscription bought in the App Store. K1 lists them by the time of their next check
// with the App Store.
var appStoreSubs = keyspec.Define[appStoreSubItem](Main, keyspec.Row{
	Key: keyspec.K("appStoreSub/{originalTransactionId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("appStoreSub/{userId}", "{createdAt}"),
		K1: keyspec.K("appStoreSub", "{nextVerificationAt}"),
	},
})

type appStoreSubItem struct {
	OriginalTransactionID string                `dynamo:"originalTransactionId,keyonly"`
	UserID                social.UserID         `dynamo:"userId"`
	Status                social.AppStoreStatus `dynamo:"status"`
	CreatedAt             time.Time             `dynamo:"createdAt"`
	LastVerificationAt    time.Time             `dynamo:"lastVerificationAt"`
	NextVerificationAt    time.Time             `dynamo:"nextVerificationAt,keyonly"`
	// Apple's response, unmodified.
	OriginalReceipt    string `dynamo:"originalReceipt"`
	LatestReceipt      string `dynamo:"latestReceipt"`
	LatestReceiptInfo  string `dynamo:"latestReceiptInfo"`
	PendingRenewalInfo string `dynamo:"pendingRenewalInfo"`
}
