package social

import (
	"reflect"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// UserEdit are changes to a profile. Nil keeps a value; an empty text removes it, except
// for the username.
type UserEdit struct {
	Username, FullName, DisplayName, Bio *string
	LanguageCode, ThemeCode              *string
	AcceptedEULAVersion                  *string
	Privacy                              *PrivacyStatus
	FollowCountsHidden, ViewCountsHidden *bool
	CommentsDisabled, LikesDisabled      *bool
	SharingDisabled, VerificationHidden  *bool

	PhotoPostID *PostID
	DateOfBirth *string
	Gender      *UserGender
	Location    *Location
	Height      *int

	MatchAgeRange *RangeInput
	// MatchGenders is nil if not given, which differs from an empty list.
	MatchGenders        []UserGender
	MatchLocationRadius *int
	MatchHeightRange    *RangeInput
}

// MaxProfileText is the maximum length in bytes of each text in a profile, so that all fit
// into a stored item of 400 KB.
const MaxProfileText = 64 << 10

// CheckProfileText refuses a text that is too long, naming its argument.
func CheckProfileText(argument, text string) error {
	if len(text) > MaxProfileText {
		return refusal.Invalidf("%s is %d bytes long: shorten it to at most %d", argument, len(text), MaxProfileText)
	}
	return nil
}

// CheckFirst refuses an empty edit, and an invalid username. Whether the
// username is free is checked when it is stored.
func (d UserEdit) CheckFirst() error {
	if reflect.ValueOf(d).IsZero() {
		return refusal.Invalidf("Called without any arguments... probably not what you intended?")
	}
	if d.Username != nil {
		return CheckUsername(*d.Username)
	}
	return nil
}

// Check refuses an invalid edit. Call CheckFirst before it.
func (d UserEdit) Check(u *User) error {
	if err := d.checkPerson(u.Subscription); err != nil {
		return err
	}
	for _, given := range []struct {
		argument string
		text     *string
	}{
		{"fullName", d.FullName},
		{"displayName", d.DisplayName},
		{"bio", d.Bio},
		{"languageCode", d.LanguageCode},
		{"themeCode", d.ThemeCode},
		{"version", d.AcceptedEULAVersion},
	} {
		if err := CheckProfileText(given.argument, optional.Or(given.text, "")); err != nil {
			return err
		}
	}
	return nil
}

// Of returns a copy of u after the edit, and whether it differs from u.
func (d UserEdit) Of(u *User, now time.Time) (changed *User, differs bool) {
	next := *u
	if d.Username != nil && *d.Username != u.Username {
		next.Username, next.UsernameLastValue, next.UsernameLastChangedAt = *d.Username, u.Username, now
		differs = true
	}
	differs = give(&next.FullName, d.FullName) || differs
	differs = give(&next.DisplayName, d.DisplayName) || differs
	differs = give(&next.Bio, d.Bio) || differs
	differs = give(&next.LanguageCode, d.LanguageCode) || differs
	differs = give(&next.ThemeCode, d.ThemeCode) || differs
	differs = give(&next.AcceptedEULAVersion, d.AcceptedEULAVersion) || differs
	differs = give(&next.Privacy, d.Privacy) || differs
	differs = choose(&next.FollowCountsHidden, d.FollowCountsHidden) || differs
	differs = choose(&next.ViewCountsHidden, d.ViewCountsHidden) || differs
	differs = choose(&next.CommentsDisabled, d.CommentsDisabled) || differs
	differs = choose(&next.LikesDisabled, d.LikesDisabled) || differs
	differs = choose(&next.SharingDisabled, d.SharingDisabled) || differs
	differs = choose(&next.VerificationHidden, d.VerificationHidden) || differs
	differs = d.person(&next, now) || differs
	next.endUnmetDating(now)
	return &next, differs
}

// give sets a value if one is given, and reports whether that changes it.
func give[T comparable](value, given *T) bool {
	if given == nil || *given == *value {
		return false
	}
	*value = *given
	return true
}

// choose sets a switch or choice if one is given, and reports whether that changes it. Off
// differs from never chosen.
func choose[T comparable](choice **T, given *T) bool {
	if given == nil || *choice != nil && **choice == *given {
		return false
	}
	*choice = new(*given)
	return true
}
