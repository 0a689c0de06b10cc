package social

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// UserGender is a user's gender as they state it.
type UserGender string

const (
	Male   UserGender = "MALE"
	Female UserGender = "FEMALE"
)

// Location is a user's position.
type Location struct {
	// Latitude and Longitude are in degrees, positive north and east.
	Latitude  float64 `dynamo:"latitude"`
	Longitude float64 `dynamo:"longitude"`
	// Accuracy is in meters; nil if unknown.
	Accuracy *int `dynamo:"accuracy"`
}

// rounded returns the location with coordinates rounded as they are stored.
func (l Location) rounded() Location {
	l.Latitude, l.Longitude = significant(l.Latitude), significant(l.Longitude)
	return l
}

func (l Location) equal(other Location) bool {
	return l.Latitude == other.Latitude && l.Longitude == other.Longitude &&
		equalPtr(l.Accuracy, other.Accuracy)
}

// significant rounds to nine significant digits.
func significant(x float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	if err != nil {
		return x // cannot happen: x is a formatted number
	}
	return rounded
}

func (l Location) check() error {
	switch {
	case math.Abs(l.Latitude) > 90:
		return refusal.Invalidf("latitude should be in [-90, 90]")
	case math.Abs(l.Longitude) > 180:
		return refusal.Invalidf("longitude should be in [-180, 180]")
	case optional.Or(l.Accuracy, 0) < 0:
		return refusal.Invalidf("accuracy should be greater than or equal to zero")
	default:
		return nil
	}
}

// Range is a range that a user looks for in others, bounds included.
type Range struct {
	Min int `dynamo:"min"`
	Max int `dynamo:"max"`
}

// RangeInput is a Range as given by a client.
type RangeInput struct{ Min, Max *int }

// within refuses an incomplete range and one beyond the bounds, naming its argument.
func (r *RangeInput) within(low, high int, argument string) error {
	if r != nil && (r.Min == nil || r.Max == nil || *r.Min < low || *r.Min > *r.Max || *r.Max > high) {
		return refusal.Invalidf("Invalid %s", argument)
	}
	return nil
}

func (r *RangeInput) whole() *Range {
	if r == nil {
		return nil
	}
	return &Range{*r.Min, *r.Max}
}

// Bounds of profile values and of what users look for in others.
const (
	MinMatchAge, MaxMatchAge = 18, 100
	// MaxHeight is in inches.
	MaxHeight = 117
	// MinMatchRadius and MaxBasicMatchRadius are in miles; who has paid has no upper bound.
	MinMatchRadius, MaxBasicMatchRadius = 5, 100
)

// checkPerson refuses what is wrong among the details of the person, in the order that
// clients know. How far users look depends on what they have paid for.
func (d UserEdit) checkPerson(level SubscriptionLevel) error {
	if d.Location != nil {
		if err := d.Location.check(); err != nil {
			return err
		}
	}
	if err := d.MatchAgeRange.within(MinMatchAge, MaxMatchAge, "matchAgeRange"); err != nil {
		return err
	}
	switch radius := d.MatchLocationRadius; {
	case radius != nil && *radius < MinMatchRadius:
		return refusal.Invalidf("matchLocationRadius should be greater than or equal to 5")
	case radius != nil && *radius > MaxBasicMatchRadius && cmp.Or(level, SubscriptionBasic) == SubscriptionBasic:
		return refusal.Invalidf("matchLocationRadius should be less than or equal to 100")
	case d.MatchGenders != nil && len(d.MatchGenders) == 0:
		return refusal.Invalidf("matchGenders cannot be empty")
	case d.Height != nil && (*d.Height < 0 || *d.Height > MaxHeight):
		return refusal.Invalidf("Invalid height")
	}
	if err := d.MatchHeightRange.within(0, MaxHeight, "matchHeightRange"); err != nil {
		return err
	}
	return checkDateOfBirth(d.DateOfBirth)
}

var (
	datePlain = regexp.MustCompile(`^-?\d{4,}-\d{2}-\d{2}$`)
	dateForm  = "2006-01-02"
)

func checkDateOfBirth(date *string) error {
	if date == nil {
		return nil
	}
	if !datePlain.MatchString(*date) {
		return refusal.Invalidf("dateOfBirth contains timezone information")
	}
	if _, err := time.Parse(dateForm, *date); err != nil {
		return refusal.Invalidf("dateOfBirth is not a date of the years 0000 to 9999")
	}
	return nil
}

// AgeOn returns the age in full years of somebody born on a date, or nil without a date.
// Those born on 29 February turn a year older on 1 March in other years.
func AgeOn(dateOfBirth string, now time.Time) *int {
	born, err := time.Parse(dateForm, dateOfBirth)
	if err != nil {
		return nil
	}
	now = now.UTC()
	age := now.Year() - born.Year()
	if now.Month() < born.Month() || now.Month() == born.Month() && now.Day() < born.Day() {
		age--
	}
	return &age
}

// Birthdays returns the birthdays, as MM-DD, of users who turn a year older today.
func Birthdays(now time.Time) []string {
	now = now.UTC()
	days := []string{now.Format("01-02")}
	if days[0] == "03-01" && now.AddDate(0, 0, -1).Day() != 29 {
		days = append(days, "02-29")
	}
	return days
}

// Aged returns a copy of u with the current age, and whether it differs.
func (u *User) Aged(now time.Time) (changed *User, differs bool) {
	next := *u
	age := AgeOn(u.DateOfBirth, now)
	differs = !equalPtr(u.Age, age)
	next.Age = age
	next.endUnmetDating(now)
	return &next, differs
}

// person applies changes to what users say about themselves and look for, and reports
// whether anything changes.
func (d UserEdit) person(next *User, now time.Time) (differs bool) {
	if d.DateOfBirth != nil && *d.DateOfBirth != next.DateOfBirth {
		next.DateOfBirth, next.Age = *d.DateOfBirth, AgeOn(*d.DateOfBirth, now)
		differs = true
	}
	if d.Location != nil {
		if l := d.Location.rounded(); next.Location == nil || !next.Location.equal(l) {
			next.Location, differs = &l, true
		}
	}
	if d.MatchGenders != nil && !slices.Equal(d.MatchGenders, next.MatchGenders) {
		next.MatchGenders, differs = slices.Clone(d.MatchGenders), true
	}
	differs = give(&next.PhotoPostID, d.PhotoPostID) || differs
	differs = give(&next.Gender, d.Gender) || differs
	differs = choose(&next.Height, d.Height) || differs
	differs = give(&next.MatchLocationRadius, d.MatchLocationRadius) || differs
	differs = choose(&next.MatchAgeRange, d.MatchAgeRange.whole()) || differs
	return choose(&next.MatchHeightRange, d.MatchHeightRange.whole()) || differs
}
