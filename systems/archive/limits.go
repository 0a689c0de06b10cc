package archive

import (
	"time"
	"unicode/utf8"
)

// Limits on numbers.
const (
	MaxCategories = 12
	MaxFields     = 500
	MaxPrivacy    = 7
	MaxMetadata   = 100
	MaxAsked      = 100
	MaxLoaded     = 500
	MaxPlaces     = 20
	DefaultPlaces = 10
	MaxImageKeys  = 100
	MaxCSV        = 5 << 20
	MaxHousehold  = 10_000
	// MaxSearched is the maximum number of records that a page of a search reads, and
	// MaxSearchedPosts that of the posts they are in.
	MaxSearched      = 2_000
	MaxSearchedPosts = 100
	MaxHouseholdKey  = 200
	// MaxAtOnce is the maximum number of records that are replaced or deleted before a
	// mutation is answered. Larger numbers are processed in the background.
	MaxAtOnce = 20_000
)

// Maximum lengths of texts, in characters.
const (
	maxName     = 250
	maxHeader   = 250
	maxMetaName = 64
	maxText     = 10_000
	maxPlace    = 250
	maxError    = 2_000
)

// maxRecord is the maximum size of a record's data in bytes, which fits into an item of 400
// KB, and maxCell that of one value.
const (
	maxRecord = 350 << 10
	maxCell   = 64 << 10
)

// idSize is the size of an id in a list, in bytes.
const idSize = 8

// sizeOf returns the total size of texts, in bytes.
func sizeOf(texts ...string) (size int) {
	for _, t := range texts {
		size += len(t)
	}
	return size
}

// checkFits refuses what is too large to be stored, although each of its texts and lists of ids is
// within its limit. Records are checked on their own.
func checkFits(what string, size int) error {
	if size > maxRecord {
		return limit("TOO_LARGE", "%s has at most %d bytes in all, not %d", what, maxRecord, size)
	}
	return nil
}

// StuckAfter is how long after its last change a load in progress counts as dead.
const StuckAfter = 1800 * time.Second

// TicketLife is the lifetime of a ticket.
const TicketLife = 5 * time.Minute

// checkText refuses texts that are too long or not valid UTF-8.
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

// CheckAsked refuses an invalid number of things to look up.
func CheckAsked(what string, n int) error {
	if n < 1 || n > MaxAsked {
		return badInput("INVALID_COUNT", "Ask for 1 to %d %s, not %d", MaxAsked, what, n)
	}
	return nil
}

// CheckLoaded refuses an invalid number of rows to load.
func CheckLoaded(n int) error {
	if n < 1 || n > MaxLoaded {
		return badInput("INVALID_COUNT", "One call loads 1 to %d rows, not %d", MaxLoaded, n)
	}
	return nil
}

// CheckAllocated refuses an invalid number of ids to allocate.
func CheckAllocated(n int) error {
	if n < 1 || n > MaxAllocated {
		return badInput("INVALID_COUNT", "One call takes 1 to %d ids, not %d", MaxAllocated, n)
	}
	return nil
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}
