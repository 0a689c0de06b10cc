package social

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
)

// DatingStatus is whether a user has enabled dating. The default is disabled.
type DatingStatus string

const (
	DatingEnabled  DatingStatus = "ENABLED"
	DatingDisabled DatingStatus = "DISABLED"
)

const (
	// datingPause is how long dating stays disabled at least.
	datingPause = 3 * time.Hour
	// datingIdleDays is the number of days without activity after which dating is disabled.
	datingIdleDays = 30
)

// Dates reports whether the user's dating is enabled.
func (u *User) Dates() bool { return u.DatingStatus == DatingEnabled }

// SwitchDating returns the user with dating enabled or disabled, or u itself if nothing
// changes.
func (u *User) SwitchDating(to DatingStatus, now time.Time) (*User, error) {
	if to == cmp.Or(u.DatingStatus, DatingDisabled) {
		return u, nil
	}
	next := *u
	if to == DatingDisabled {
		next.endDating(now)
		return &next, nil
	}
	if err := u.checkDating(); err != nil {
		return nil, err
	}
	if !u.UserDisableDatingDate.IsZero() && now.Sub(u.UserDisableDatingDate) < datingPause {
		return nil, datingRefused([]string{"WRONG_THREE_HOUR_PERIOD"}, "User cannot re-enable dating within 3 hours")
	}
	next.DatingStatus, next.DatingEndsOn = DatingEnabled, DatingEnd(now)
	return &next, nil
}

// DatingEnd returns the day, as 2006-01-02, on which dating is disabled if the user is not
// active after now.
func DatingEnd(now time.Time) string { return DatingDay(now.AddDate(0, 0, datingIdleDays)) }

// DatingDay formats a time as a day, as in DatingEnd.
func DatingDay(at time.Time) string { return at.UTC().Format("2006-01-02") }

// RenewDating postpones to another day when the user's dating is disabled for inactivity,
// and reports whether that changes anything.
func (u *User) RenewDating(day string) bool {
	if !u.Dates() || u.DatingEndsOn == day {
		return false
	}
	u.DatingEndsOn = day
	return true
}

// Idle returns the user with dating disabled if that is due by the given day, and otherwise
// nil.
func (u *User) Idle(by string, now time.Time) *User {
	if !u.Dates() || u.DatingEndsOn > by {
		return nil
	}
	next := *u
	next.endDating(now)
	return &next
}

// Unfit returns the user with dating disabled if they no longer meet its requirements, and
// otherwise nil.
func (u *User) Unfit(now time.Time) *User {
	next := *u
	if !next.endUnmetDating(now) {
		return nil
	}
	return &next
}

// endUnmetDating disables dating if a change of the profile left its requirements unmet.
func (u *User) endUnmetDating(now time.Time) (ended bool) {
	if !u.Dates() || u.checkDating() == nil {
		return false
	}
	u.endDating(now)
	return true
}

func (u *User) endDating(now time.Time) {
	u.DatingStatus, u.DatingEndsOn, u.UserDisableDatingDate = "", "", now
}

// checkDating refuses to enable dating for users who do not meet its requirements.
func (u *User) checkDating() error {
	var names, codes []string
	for _, required := range []struct {
		name, code string
		missing    bool
	}{
		{"fullName", "MISSING_FULL_NAME", u.FullName == ""},
		{"displayName", "MISSING_DISPLAY_NAME", u.DisplayName == ""},
		{"photoPostId", "MISSING_PHOTO_POST_ID", u.PhotoPostID == ""},
		{"age", "MISSING_AGE", u.Age == nil},
		{"gender", "MISSING_GENDER", u.Gender == ""},
		{"location", "MISSING_LOCATION", u.Location == nil},
		{"height", "MISSING_HEIGHT", u.Height == nil},
		{"matchAgeRange", "MISSING_MATCH_AGE_RANGE", u.MatchAgeRange == nil},
		{"matchGenders", "MISSING_MATCH_GENDERS", u.MatchGenders == nil},
		{"matchHeightRange", "MISSING_MATCH_HEIGHT_RANGE", u.MatchHeightRange == nil},
		{"matchLocationRadius", "MISSING_MATCH_LOCATION_RADIUS", u.MatchLocationRadius == 0 && !u.IsDiamond()},
	} {
		if required.missing {
			names, codes = append(names, "'"+required.name+"'"), append(codes, required.code)
		}
	}
	switch {
	case names != nil:
		return datingRefused(codes, "`{%s}` required to enable dating", strings.Join(names, ", "))
	case *u.Age < MinMatchAge:
		return wrongAge(*u.Age, "WRONG_AGE_MIN")
	case *u.Age > MaxMatchAge:
		return wrongAge(*u.Age, "WRONG_AGE_MAX")
	case len(u.MatchGenders) == 0:
		return datingRefused([]string{"MISSING_MATCH_GENDERS"}, "matchGenders cannot be empty")
	default:
		return nil
	}
}

func wrongAge(age int, code string) error {
	return datingRefused([]string{code}, "age `%d` must be between %d and %d to enable dating", age, MinMatchAge, MaxMatchAge)
}

// datingRefused returns a refusal with codes by which clients distinguish the reasons.
func datingRefused(codes []string, format string, args ...any) error {
	return &refusal.Error{Kind: refusal.Invalid, Text: fmt.Sprintf(format, args...), Info: codes}
}
