package social

import (
	"testing"
	"time"
)

// users L2: a calendar month, up to the last day of a shorter one.
func TestGrantBonus(t *testing.T) {
	for granted, want := range map[string]string{
		"2026-01-31T10:11:12.000013Z": "2026-02-28T10:11:12.000013Z",
		"2028-01-30T00:00:00Z":        "2028-02-29T00:00:00Z",
		"2026-12-31T23:59:59Z":        "2027-01-31T23:59:59Z",
		"2026-02-28T10:00:00Z":        "2026-03-28T10:00:00Z",
		"2026-05-31T10:00:00Z":        "2026-06-30T10:00:00Z",
		"2026-01-31T23:00:00-05:00":   "2026-03-01T04:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339Nano, granted)
		if err != nil {
			t.Fatal(err)
		}
		u, err := (&User{UserID: "u"}).GrantBonus(at)
		if err != nil || !u.IsDiamond() || !u.SubscriptionGrantedAt.Equal(at) || u.SubscriptionExpiresAt.Format(time.RFC3339Nano) != want {
			t.Errorf("granted %s: %s until %s, %v, want until %s", granted, u.Subscription, u.SubscriptionExpiresAt, err, want)
		}
		if _, err := u.GrantBonus(at.AddDate(1, 0, 0)); err == nil || err.Error() != "User `u` has already granted themselves a subscription bonus" {
			t.Errorf("granted twice: %v", err)
		}
	}
}

// users L4 and L12: DIAMOND while the user pays or their bonus runs.
func TestSubscribed(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	running, over := now.AddDate(0, 0, -10), now.AddDate(0, -2, 0)
	for name, c := range map[string]struct {
		u       User
		pays    bool
		level   SubscriptionLevel
		expires time.Time
	}{
		"nothing":                             {User{}, false, "", time.Time{}},
		"pays":                                {User{}, true, SubscriptionDiamond, time.Time{}},
		"pays beside a bonus":                 {User{SubscriptionGrantedAt: running, SubscriptionExpiresAt: bonusEnd(running)}, true, SubscriptionDiamond, time.Time{}},
		"paid beside a bonus":                 {User{Subscription: SubscriptionDiamond, SubscriptionGrantedAt: running}, false, SubscriptionDiamond, bonusEnd(running)},
		"a bonus runs":                        {User{SubscriptionGrantedAt: running, SubscriptionExpiresAt: bonusEnd(running)}, false, SubscriptionDiamond, bonusEnd(running)},
		"a bonus is over":                     {User{Subscription: SubscriptionDiamond, SubscriptionGrantedAt: over, SubscriptionExpiresAt: bonusEnd(over)}, false, "", time.Time{}},
		"a bonus ends now":                    {User{Subscription: SubscriptionDiamond, SubscriptionGrantedAt: running, SubscriptionExpiresAt: now}, false, "", time.Time{}},
		"no bonus any more, and none is paid": {User{Subscription: SubscriptionDiamond, SubscriptionGrantedAt: over}, false, "", time.Time{}},
	} {
		got := c.u.Subscribed(c.pays, now)
		if got.Subscription != c.level || !got.SubscriptionExpiresAt.Equal(c.expires) || !got.SubscriptionGrantedAt.Equal(c.u.SubscriptionGrantedAt) {
			t.Errorf("%s: %q until %v, want %q until %v", name, got.Subscription, got.SubscriptionExpiresAt, c.level, c.expires)
		}
	}
}
