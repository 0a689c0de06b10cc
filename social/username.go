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

// FollowedByAll names the user whom every new user follows, by username, spelled exactly, or
// by user id. If empty, it is nobody. While it is a username, only moderators can take it, so
// that no stranger gets the followers of a user who is gone.
type FollowedByAll string

// Username returns the username, or "" if the user is named by id or is nobody.
func (f FollowedByAll) Username() string {
	if ValidUsername(string(f)) {
		return string(f)
	}
	return ""
}

// Holder returns the user who is meant, given the holders of usernames.
func (f FollowedByAll) Holder(holders map[string]UsernameHolder) (UserID, bool) {
	name := f.Username()
	if name == "" {
		return UserID(f), f != ""
	}
	h := holders[FoldUsername(name)]
	return h.UserID, h.Username == name
}

// Is reports whether u is the user.
func (f FollowedByAll) Is(u *User) bool {
	if name := f.Username(); name != "" {
		return u.Username == name
	}
	return f != "" && u.UserID == UserID(f)
}

// Reserves reports whether a username is the user's, ignoring case.
func (f FollowedByAll) Reserves(name string) bool {
	return name != "" && strings.EqualFold(f.Username(), name)
}

// UsernameHolder is the user of a username, and its spelling.
type UsernameHolder struct {
	UserID   UserID `dynamo:"userId"`
	Username string `dynamo:"username"`
}
