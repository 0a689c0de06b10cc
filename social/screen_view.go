package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// ScreenView is all that a user has viewed of a screen of the app.
type ScreenView struct {
	// Screen is the name that clients give it.
	Screen                      string
	UserID                      UserID
	FirstViewedAt, LastViewedAt time.Time
	Count                       int
}

const (
	maxScreensReported = 100
	// maxScreen is the longest name of a screen that is recorded, in bytes.
	maxScreen = 1000
)

// CheckScreenReport refuses a report of no screens, or of too many.
func CheckScreenReport(screens []string) error {
	switch {
	case len(screens) == 0:
		return refusal.Invalidf("A minimum of 1 screen must be reported")
	case len(screens) > maxScreensReported:
		return refusal.Invalidf("A max of 100 screens may be reported at a time")
	default:
		return nil
	}
}

// ScreensViewed counts how often each screen is reported. Names that no row can have, because
// they are empty or too long, are left out.
func ScreensViewed(screens []string) map[string]int {
	times := map[string]int{}
	for _, s := range screens {
		if s != "" && len(s) <= maxScreen {
			times[s]++
		}
	}
	return times
}

// Viewed returns what u has viewed of a screen after viewing it so many times more, at a
// time. What a former profile has viewed does not count.
func (u *User) Viewed(screen string, before *ScreenView, times int, at time.Time) ScreenView {
	after := ScreenView{Screen: screen, UserID: u.UserID, FirstViewedAt: at, LastViewedAt: at, Count: times}
	if before != nil && !u.Former(before.FirstViewedAt) {
		after.FirstViewedAt, after.Count = before.FirstViewedAt, before.Count+times
		if before.LastViewedAt.After(at) {
			after.LastViewedAt = before.LastViewedAt
		}
	}
	return after
}
