package pantry

import (
	"net/mail"
	"strings"
	"unicode/utf8"
)

// Maximum numbers of things.
const (
	// MaxFoods is small enough for a container with the longest names to fit into an item
	// of 400 KB.
	MaxFoods      = 500
	MaxContainers = 50
	MaxGroups     = 50
	MaxMembers    = 50
	MaxCategories = 50
	// MaxAdded is the maximum number of foods added by one call.
	MaxAdded = 25
)

// Maximum lengths of texts, in Unicode code points: a letter and a combining accent count
// as two.
const (
	maxUserName      = 30
	maxGroupName     = 255
	maxContainerName = 255
	maxFoodName      = 30
	maxUnit          = 20
	maxCategoryName  = 30
)

// Default names.
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

// CheckUserName refuses an invalid name of a user.
func CheckUserName(name string) error { return checkName("user", name, maxUserName) }

// CheckGroupName refuses an invalid name of a group.
func CheckGroupName(name string) error { return checkName("group", name, maxGroupName) }

// CheckContainerName refuses an invalid name of a container.
func CheckContainerName(name string) error { return checkName("container", name, maxContainerName) }

// FoldEmail returns an e-mail address in the form used for comparisons, and false if it is
// not valid.
func FoldEmail(address string) (string, bool) {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address {
		return "", false
	}
	return strings.ToLower(address), true
}

// CheckAdded refuses an invalid number of foods to add.
func CheckAdded(n int) error {
	if n < 1 || n > MaxAdded {
		return badInput("INVALID_COUNT", "One call adds 1 to %d foods, not %d", MaxAdded, n)
	}
	return nil
}
