package archive

import (
	"time"
	"unicode/utf8"
)

// How much there may be of something.
const (
	MaxCategories   = 12
	MaxFields       = 500
	MaxPrivacy      = 7
	MaxMetadata     = 100
	MaxAsked        = 100
	MaxLoaded       = 500
	MaxPlaces       = 20
	DefaultPlaces   = 10
	MaxImageKeys    = 100
	MaxCSV          = 5 << 20
	MaxHousehold    = 10_000
	MaxSearched     = 2_000
	MaxHouseholdKey = 200
)

// Lengths of texts, in characters.
const (
	maxName     = 250
	maxHeader   = 250
	maxMetaName = 64
	maxText     = 10_000
	maxPlace    = 250
	maxError    = 2_000
)

// maxRecord is the most bytes of data that a record has, so that it stays below the 400
// KB of an item, and maxCell what one of its values may have.
const (
	maxRecord = 350 << 10
	maxCell   = 64 << 10
)

// StuckAfter is how long after its last change a load that is under way counts as ended.
const StuckAfter = 1800 * time.Second

// TicketLife is how long a ticket is good.
const TicketLife = 5 * time.Minute

// checkText refuses texts that are too long, or no texts.
func checkText(what, text string, most int) error {
	if !utf8.ValidString(text) {
		return badInput("INVALID_TEXT", "%s is not valid UTF-8", what)
	}
	if n := utf8.RuneCountInString(text); n > most {
		return badInput("INVALID_TEXT", "%s has at most %d characters, not %d", what, most, n)
	}
	return nil
}

// checkName refuses names that are blank or too long.
func checkName(what, name string, most int) error {
	if n := utf8.RuneCountInString(name); Fold(name) == "" || n > most || !utf8.ValidString(name) {
		return badInput("INVALID_NAME", "The name of a %s has 1 to %d characters that are not all blank", what, most)
	}
	return nil
}

// CheckAsked refuses to look up none, or too many at once.
func CheckAsked(what string, n int) error {
	if n < 1 || n > MaxAsked {
		return badInput("INVALID_COUNT", "Ask for 1 to %d %s, not %d", MaxAsked, what, n)
	}
	return nil
}

// CheckLoaded refuses to load no rows, or too many at once.
func CheckLoaded(n int) error {
	if n < 1 || n > MaxLoaded {
		return badInput("INVALID_COUNT", "One call loads 1 to %d rows, not %d", MaxLoaded, n)
	}
	return nil
}

// CheckAllocated refuses to take no ids, or too many at once.
func CheckAllocated(n int) error {
	if n < 1 || n > MaxAllocated {
		return badInput("INVALID_COUNT", "One call takes 1 to %d ids, not %d", MaxAllocated, n)
	}
	return nil
}
