package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// AppStoreStatus says whether a subscription that was bought in the App Store holds.
type AppStoreStatus string

const (
	AppStoreActive    AppStoreStatus = "ACTIVE"
	AppStoreExpired   AppStoreStatus = "EXPIRED"
	AppStoreCancelled AppStoreStatus = "CANCELLED"
)

// verifyEvery is how long what the App Store said of a subscription is believed.
const verifyEvery = 24 * time.Hour

// AppStoreReceipt is what the App Store says about a receipt.
type AppStoreReceipt struct {
	// OriginalTransactionID names the subscription, through all its renewals.
	OriginalTransactionID string
	Status                AppStoreStatus
	// Latest is the newest receipt of the subscription; Info is its latest transaction and
	// PendingRenewal what is to be renewed, both JSON as the store has it.
	Latest, Info, PendingRenewal string
}

// AppStoreSub is a subscription that a user bought in the App Store.
type AppStoreSub struct {
	UserID UserID
	// OriginalReceipt is the receipt that the user's app sent, by which the store is asked
	// again.
	OriginalReceipt string
	AppStoreReceipt
	CreatedAt time.Time
	// LastVerificationAt and NextVerificationAt are when the store was asked last, and when
	// it is to be asked again.
	LastVerificationAt, NextVerificationAt time.Time
}

// Verified is the subscription after the store was asked again.
func (a AppStoreSub) Verified(r AppStoreReceipt, now time.Time) AppStoreSub {
	a.AppStoreReceipt, a.LastVerificationAt, a.NextVerificationAt = r, now, now.Add(verifyEvery)
	return a
}

// NewAppStoreSub is a subscription of which the store has just been asked.
func NewAppStoreSub(user UserID, receipt string, r AppStoreReceipt, now time.Time) AppStoreSub {
	a := AppStoreSub{UserID: user, OriginalReceipt: receipt, CreatedAt: now}
	return a.Verified(r, now)
}

// GrantBonus returns the user with the month of DIAMOND that everybody may take once.
func (u *User) GrantBonus(now time.Time) (*User, error) {
	if !u.SubscriptionGrantedAt.IsZero() {
		return nil, refusal.Invalidf("User `%s` has already granted themselves a subscription bonus", u.UserID)
	}
	next := *u
	next.Subscription, next.SubscriptionGrantedAt, next.SubscriptionExpiresAt = SubscriptionDiamond, now, bonusEnd(now)
	return &next, nil
}

// Subscribed returns the user with the level they are entitled to: DIAMOND while they pay
// for it, and until their bonus ends.
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
	next.settleDating(now)
	return &next
}

// IsDiamond reports whether the user has what subscribers have.
func (u *User) IsDiamond() bool { return u.Subscription == SubscriptionDiamond }

// bonusEnd is the same day and time of the month after, or that month's last day where it
// is shorter.
func bonusEnd(granted time.Time) time.Time {
	granted = granted.UTC()
	end := granted.AddDate(0, 1, 0)
	if overflow := end.Day(); overflow != granted.Day() {
		end = end.AddDate(0, 0, -overflow)
	}
	return end
}
