package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A subscription bought in the App Store. K1 lists them by the time of their next check
// with the App Store.
var appStoreSubs = keyspec.Define[social.AppStoreSub](Main, keyspec.Row{
	Key: keyspec.K("appStoreSub/{originalTransactionId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("appStoreSub/{userId}", "{createdAt}"),
		K1: keyspec.K("appStoreSub", "{nextVerificationAt}"),
	},
})
