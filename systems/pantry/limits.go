package pantry

import (
	"net/mail"
	"strings"
	"unicode/utf8"
)

// How much there may be of something.
const (
	// MaxFoods keeps a container with the longest names below the 400 KB of an item.
	MaxFoods      = 500
	MaxContainers = 50
	MaxGroups     = 50
	MaxMembers    = 50
	MaxCategories = 50
	// MaxAdded is the most foods that one call adds.
	MaxAdded = 25
)

// Lengths of texts, in characters as Unicode counts them: a letter and an accent that
// is put on it are two.
const (
	maxUserName      = 30
	maxGroupName     = 255
	maxContainerName = 255
	maxFoodName      = 30
	maxUnit          = 20
	maxCategoryName  = 30
)

// Names of what is made without one.
const (
	DefaultUserName      = "New user"
	DefaultGroupName     = "default group"
	DefaultContainerName = "default container"
)

func checkName(what, name string, most int) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > most {
		return badInput("INVALID_NAME", "The name of a %s has 1 to %d characters, not %d", what, most, n)
	}
	return nil
}

// CheckUserName refuses what no user can be called.
func CheckUserName(name string) error { return checkName("user", name, maxUserName) }

// CheckGroupName refuses what no group can be called.
func CheckGroupName(name string) error { return checkName("group", name, maxGroupName) }

// CheckContainerName refuses what no container can be called.
func CheckContainerName(name string) error { return checkName("container", name, maxContainerName) }

// FoldEmail returns the form in which addresses are compared, and false for what is no
// address.
func FoldEmail(address string) (string, bool) {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address {
		return "", false
	}
	return strings.ToLower(address), true
}

// CheckAdded refuses to add no foods, or too many at once.
func CheckAdded(n int) error {
	if n < 1 || n > MaxAdded {
		return badInput("INVALID_COUNT", "One call adds 1 to %d foods, not %d", MaxAdded, n)
	}
	return nil
}
