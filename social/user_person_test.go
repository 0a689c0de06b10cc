package social

import (
	"testing"
	"time"

	"stoa/internal/kit/optional"
)

// users U12: age is in completed years by the calendar in UTC.
func TestAgeOn(t *testing.T) {
	for _, c := range []struct {
		born, now string
		want      int
	}{
		{"1990-06-15", "2026-06-14T23:59:59Z", 35},
		{"1990-06-15", "2026-06-15T00:00:00Z", 36},
		{"1990-06-15", "2026-06-15T00:30:00+01:00", 35},
		{"1990-12-31", "2026-01-01T00:00:00Z", 35},
		{"2000-02-29", "2026-02-28T12:00:00Z", 25},
		{"2000-02-29", "2026-03-01T00:00:00Z", 26},
		{"2000-02-29", "2028-02-29T00:00:00Z", 28},
		{"1900-01-01", "2026-01-01T00:00:00Z", 126},
		{"2026-01-01", "2026-01-01T00:00:00Z", 0},
		{"2027-01-01", "2026-01-01T00:00:00Z", -1},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := AgeOn(c.born, now); got == nil || *got != c.want {
			t.Errorf("born %s, at %s: %v, want %d", c.born, c.now, optional.Or(got, -99), c.want)
		}
	}
	if AgeOn("", noon) != nil {
		t.Error("somebody without a date of birth has an age")
	}
}

func TestBirthdays(t *testing.T) {
	for now, want := range map[string][]string{
		"2026-03-01": {"03-01", "02-29"}, "2028-03-01": {"03-01"}, "2028-02-29": {"02-29"}, "2026-02-28": {"02-28"},
	} {
		at, err := time.Parse(dateForm, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := Birthdays(at); len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: %v, want %v", now, got, want)
		}
	}
}

// users U8: coordinates keep nine significant digits.
func TestSignificant(t *testing.T) {
	for x, want := range map[float64]float64{
		0: 0, 90: 90, -180: -180, 12.3456789: 12.3456789, 12.34567894: 12.3456789, -123.4567891: -123.456789, 0.00001234567891: 0.0000123456789,
	} {
		if got := significant(x); got != want {
			t.Errorf("%v becomes %v, want %v", x, got, want)
		}
	}
}

// Paying users may look without a limit on distance.
func TestHowFarUsersLook(t *testing.T) {
	for _, c := range []struct {
		level  SubscriptionLevel
		radius int
		want   string
	}{
		{"", 100, ""},
		{SubscriptionBasic, 101, "matchLocationRadius should be less than or equal to 100"},
		{SubscriptionDiamond, 101, ""},
		{SubscriptionDiamond, 24_901, ""},
		{SubscriptionDiamond, 4, "matchLocationRadius should be greater than or equal to 5"},
	} {
		wantRefusal(t, string(c.level), UserEdit{MatchLocationRadius: &c.radius}.Check(&User{Subscription: c.level}), c.want)
	}
}
