package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// AppStoreStatus is the status of a subscription bought in the App Store.
type AppStoreStatus string

const (
	AppStoreActive    AppStoreStatus = "ACTIVE"
	AppStoreExpired   AppStoreStatus = "EXPIRED"
	AppStoreCancelled AppStoreStatus = "CANCELLED"
)

// verifyEvery is the interval at which a subscription is verified with the App Store.
const verifyEvery = 24 * time.Hour

// AppStoreReceipt is the App Store's information about a receipt.
type AppStoreReceipt struct {
	// OriginalTransactionID identifies the subscription through all its renewals.
	OriginalTransactionID string         `dynamo:"originalTransactionId,keyonly"`
	Status                AppStoreStatus `dynamo:"status"`
	// Latest is the newest receipt of the subscription. Info is its latest transaction and
	// PendingRenewal its next renewal, both as the store's JSON.
	Latest         string `dynamo:"latestReceipt"`
	Info           string `dynamo:"latestReceiptInfo"`
	PendingRenewal string `dynamo:"pendingRenewalInfo"`
}

// AppStoreSub is a subscription that a user bought in the App Store.
type AppStoreSub struct {
	UserID UserID `dynamo:"userId"`
	// OriginalReceipt is the receipt sent by the user's app, used for each verification.
	OriginalReceipt string `dynamo:"originalReceipt"`
	AppStoreReceipt
	CreatedAt time.Time `dynamo:"createdAt"`
	// LastVerificationAt and NextVerificationAt are the times of the last and the next
	// verification.
	LastVerificationAt time.Time `dynamo:"lastVerificationAt"`
	NextVerificationAt time.Time `dynamo:"nextVerificationAt,keyonly"`
}

// Verified returns the subscription after a verification.
func (a AppStoreSub) Verified(r AppStoreReceipt, now time.Time) AppStoreSub {
	a.AppStoreReceipt, a.LastVerificationAt, a.NextVerificationAt = r, now, now.Add(verifyEvery)
	return a
}

// NewAppStoreSub returns a subscription that has just been verified.
func NewAppStoreSub(user UserID, receipt string, r AppStoreReceipt, now time.Time) AppStoreSub {
	a := AppStoreSub{UserID: user, OriginalReceipt: receipt, CreatedAt: now}
	return a.Verified(r, now)
}

// GrantBonus returns the user with a month of DIAMOND, which every user may take once.
func (u *User) GrantBonus(now time.Time) (*User, error) {
	if !u.SubscriptionGrantedAt.IsZero() {
		return nil, refusal.Invalidf("User `%s` has already granted themselves a subscription bonus", u.UserID)
	}
	next := *u
	next.Subscription, next.SubscriptionGrantedAt, next.SubscriptionExpiresAt = SubscriptionDiamond, now, bonusEnd(now)
	return &next, nil
}

// Subscribed returns the user with the level they are entitled to: DIAMOND while they pay
// for it, and until their bonus expires.
func (u *User) Subscribed(pays bool, now time.Time) *User {
	next := *u
	end := u.SubscriptionExpiresAt
	if end.IsZero() && !u.SubscriptionGrantedAt.IsZero() {
		end = bonusEnd(u.SubscriptionGrantedAt)
	}
	switch {
	case pays:
		next.Subscription, next.SubscriptionExpiresAt = SubscriptionDiamond, time.Time{}
	case end.After(now):
		next.Subscription, next.SubscriptionExpiresAt = SubscriptionDiamond, end
	default:
		next.Subscription, next.SubscriptionExpiresAt = "", time.Time{}
	}
	next.endUnmetDating(now)
	return &next
}

// IsDiamond reports whether the user has the DIAMOND level.
func (u *User) IsDiamond() bool { return u.Subscription == SubscriptionDiamond }

// bonusEnd returns the same day and time of the next month, or that month's last day if it
// is shorter.
func bonusEnd(granted time.Time) time.Time {
	granted = granted.UTC()
	end := granted.AddDate(0, 1, 0)
	if overflow := end.Day(); overflow != granted.Day() {
		end = end.AddDate(0, 0, -overflow)
	}
	return end
}
