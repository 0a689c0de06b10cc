package social

import (
	"reflect"
	"slices"
)

// Dater is a user with dating enabled, with what matching needs to know: their attributes
// and what they look for. It is derived from the profile, and matches are derived from it.
type Dater struct {
	UserID   UserID     `dynamo:"userId"`
	Age      int        `dynamo:"age"`
	Gender   UserGender `dynamo:"gender"`
	Location Location   `dynamo:"location"`
	// Height is in inches.
	Height int `dynamo:"height"`

	MatchAgeRange    Range        `dynamo:"matchAgeRange"`
	MatchGenders     []UserGender `dynamo:"matchGenders"`
	MatchHeightRange Range        `dynamo:"matchHeightRange"`
	// MatchLocationRadius is the maximum distance to a match, in the unit of distances; 0
	// for any distance.
	MatchLocationRadius int `dynamo:"matchLocationRadius"`

	// Version changes with any of the above. Settled is the version that the stored matches
	// were derived from; it is older than Version until they have been updated.
	Version int `dynamo:"version"`
	Settled int `dynamo:"settled"`
	// Left is set once the user's dating is off and their matches are to be removed.
	Left bool `dynamo:"left"`
	// ApprovalCount is the number of approvals the user has received since they enabled
	// dating.
	ApprovalCount int `dynamo:"approvalCount"`
}

// Dater returns what matching knows about the user, or nil if their dating is off.
func (u *User) Dater() *Dater {
	if !u.Dates() || u.checkDating() != nil {
		return nil
	}
	return &Dater{
		UserID: u.UserID, Age: *u.Age, Gender: u.Gender, Location: *u.Location, Height: *u.Height,
		MatchAgeRange: *u.MatchAgeRange, MatchGenders: slices.Clone(u.MatchGenders), MatchHeightRange: *u.MatchHeightRange,
		MatchLocationRadius: u.MatchLocationRadius,
	}
}

// Follow returns d updated from the profile. Either may be nil for none. It returns d
// itself if nothing has changed.
func (d *Dater) Follow(profile *Dater) *Dater {
	switch {
	case profile == nil && (d == nil || d.Left):
		return d
	case profile == nil:
		next := *d
		next.Left = true
		next.Version++
		return &next
	case d == nil:
		next := *profile
		next.Version = 1
		return &next
	}
	next := *profile
	next.Version, next.Settled, next.ApprovalCount = d.Version, d.Settled, d.ApprovalCount
	if reflect.DeepEqual(*d, next) {
		return d
	}
	next.Version++
	return &next
}

// Matches reports whether each of the two users meets what the other looks for.
func (d *Dater) Matches(o *Dater, earth Earth) bool {
	if d == nil || o == nil || d.Left || o.Left || d.UserID == o.UserID || !d.wants(o) || !o.wants(d) {
		return false
	}
	apart := earth.Distance(d.Location, o.Location)
	return d.reaches(apart) && o.reaches(apart)
}

func (d *Dater) wants(o *Dater) bool {
	return slices.Contains(d.MatchGenders, o.Gender) && d.MatchAgeRange.holds(o.Age) && d.MatchHeightRange.holds(o.Height)
}

func (d *Dater) reaches(distance float64) bool {
	return d.MatchLocationRadius == 0 || distance <= float64(d.MatchLocationRadius)
}

func (r Range) holds(n int) bool { return r.Min <= n && n <= r.Max }

// IsFar reports whether the user's radius exceeds what regular users can choose. Such users
// find each other worldwide.
func (d *Dater) IsFar() bool {
	return d.MatchLocationRadius == 0 || d.MatchLocationRadius > MaxBasicMatchRadius
}

// Reach returns the maximum distance to matches that are not far themselves.
func (d *Dater) Reach() float64 {
	if d.IsFar() {
		return MaxBasicMatchRadius
	}
	return float64(d.MatchLocationRadius)
}
