package social

import (
	"regexp"
	"slices"
	"strings"

	"stoa/internal/kit/refusal"
)

var usernameForm = regexp.MustCompile(`^[a-zA-Z0-9_.]{3,30}$`)

// UsernameStatus is whether a username is available.
type UsernameStatus string

const (
	UsernameAvailable    UsernameStatus = "AVAILABLE"
	UsernameNotAvailable UsernameStatus = "NOT_AVAILABLE"
	UsernameInvalid      UsernameStatus = "INVALID"
)

// RealUsername belongs to the account that every new user follows.
const RealUsername = "real"

// ValidUsername reports whether name is 3 to 30 letters, digits, underscores and
// dots.
func ValidUsername(name string) bool { return usernameForm.MatchString(name) }

// CheckUsername refuses an invalid username.
func CheckUsername(name string) error {
	switch {
	case name == "":
		return refusal.Invalidf("Empty username")
	case !ValidUsername(name):
		return refusal.Invalidf("Username `%s` does not validate", name)
	default:
		return nil
	}
}

// FoldUsername returns the form of a username that is unique and used to sign in. Names
// that differ only in case are the same.
func FoldUsername(name string) string { return strings.ToLower(name) }

// ReservedUsernames are usernames that nobody can take, ignoring case. Users who have one
// keep it.
type ReservedUsernames []string

// Has reports whether a name is reserved.
func (r ReservedUsernames) Has(name string) bool {
	return slices.ContainsFunc(r, func(reserved string) bool { return strings.EqualFold(reserved, name) })
}

// UsernameHolder is the user of a username, and its spelling.
type UsernameHolder struct {
	UserID   UserID
	Username string
}
