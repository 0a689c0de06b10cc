package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// ScreenView sums up a user's views of a screen of the app.
type ScreenView struct {
	// Screen is the client's name of the screen.
	Screen        string    `dynamo:"screenId,keyonly"`
	UserID        UserID    `dynamo:"userId,keyonly"`
	FirstViewedAt time.Time `dynamo:"firstViewedAt"`
	LastViewedAt  time.Time `dynamo:"lastViewedAt"`
	Count         int       `dynamo:"viewCount"`
}

const (
	maxScreensReported = 100
	// maxScreen is the maximum length of a recorded screen name, in bytes.
	maxScreen = 1000
)

// CheckScreenReport refuses empty reports and those with too many screens.
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

// ScreensViewed counts how often each screen is reported. Names that are empty or too long
// for a row are omitted.
func ScreensViewed(screens []string) map[string]int {
	times := map[string]int{}
	for _, s := range screens {
		if s != "" && len(s) <= maxScreen {
			times[s]++
		}
	}
	return times
}

// Viewed returns the views of a screen by u after viewing it a number of times more. Views
// of a former profile do not count.
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
