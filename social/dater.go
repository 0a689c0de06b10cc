package social

import (
	"reflect"
	"slices"
)

// Dater is a user whose dating is on, as matching knows them: what they are and what they
// look for. It follows the profile, and matches follow from it.
type Dater struct {
	UserID   UserID
	Age      int
	Gender   UserGender
	Location Location
	// Height is in inches.
	Height int

	MatchAgeRange    Range
	MatchGenders     []UserGender
	MatchHeightRange Range
	// MatchLocationRadius is how far away the user looks, in the unit of distances; 0 for
	// any distance.
	MatchLocationRadius int

	// Version changes with any of the above, and Settled is the version from which the
	// matches follow that there are: older than Version while that is being brought about.
	Version, Settled int
	// Left: the dating of the user has gone off, and their matches go.
	Left bool
	// ApprovalCount is how often the user has been approved of since they began dating.
	ApprovalCount int
}

// Dater is what matching knows of the user, nil while their dating is off.
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

// Follow returns d, nil for nobody, as the dater that a profile makes, nil for none. It
// returns d itself when nothing has changed.
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

// Matches reports whether two users are what each other looks for.
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

// IsFar reports whether the user looks further away than everybody may: they are found all
// over the world by those who do so too.
func (d *Dater) IsFar() bool {
	return d.MatchLocationRadius == 0 || d.MatchLocationRadius > MaxBasicMatchRadius
}

// Reach is how far away there may be matches who are not far themselves.
func (d *Dater) Reach() float64 {
	if d.IsFar() {
		return MaxBasicMatchRadius
	}
	return float64(d.MatchLocationRadius)
}
