// Package input has the rules that what clients send obeys in several systems: which parts
// of a thing are to change, what has to be given, how long a text is, and of which version
// a change thinks the thing is.
//
// Its refusals have codes and reasons as systems beside the social one have them.
package input

import (
	"unicode/utf8"

	"stoa/internal/kit/refusal"
)

// Edit is what is to become of one part of something.
type Edit[T any] struct {
	// Given is false for what is to stay.
	Given bool
	// Value is nil for null.
	Value *T
}

// Required changes what cannot be null.
func (e Edit[T]) Required(to *T, what string) error {
	switch {
	case !e.Given:
		return nil
	case e.Value == nil:
		return Required(what)
	}
	*to = *e.Value
	return nil
}

// Nullable changes what may be null.
func (e Edit[T]) Nullable(to **T) {
	if e.Given {
		*to = e.Value
	}
}

// Required refuses null where something must have a value.
func Required(what string) error {
	return refusal.New(refusal.BadInput, "REQUIRED", "The %s cannot be null", what)
}

// Count refuses to do none of something, or too many at once.
func Count(what string, n, most int) error {
	if n < 1 || n > most {
		return refusal.New(refusal.BadInput, "INVALID_COUNT", "One call takes 1 to %d %s", most, what)
	}
	return nil
}

// Length refuses texts that are too short or too long, in characters as Unicode counts
// them.
func Length(what, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most || !utf8.ValidString(text) {
		return refusal.New(refusal.BadInput, "INVALID_LENGTH", "The %s has %d to %d characters, not %d", what, least, most, n)
	}
	return nil
}

// Outdated refuses a change of something that is of another version than expected.
func Outdated(current int) error {
	return refusal.New(refusal.Outdated, "", "It is of version %d by now: look at it again", current).With("currentVersion", current)
}

// CheckVersion refuses a version that is expected but not the current one. Nil expects
// none.
func CheckVersion(expected *int, current int) error {
	if expected != nil && *expected != current {
		return Outdated(current)
	}
	return nil
}

// First is the first error of some, in their order.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
