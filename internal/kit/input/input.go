// Package input has the common rules for input of several systems: partial updates,
// required values, lengths of texts, and expected versions.
//
// Its refusals have the codes and reasons of the systems other than the social one.
package input

import (
	"unicode/utf8"

	"stoa/internal/kit/refusal"
)

// Edit is a change of one part of an object.
type Edit[T any] struct {
	// Given is false if the part is unchanged.
	Given bool
	// Value is nil for null.
	Value *T
}

// Required changes a part that must not be null.
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

// Nullable changes a part that may be null.
func (e Edit[T]) Nullable(to **T) {
	if e.Given {
		*to = e.Value
	}
}

// Required returns the refusal of null for a required value.
func Required(what string) error {
	return refusal.New(refusal.BadInput, "REQUIRED", "The %s cannot be null", what)
}

// Count returns an error if n is zero or exceeds most.
func Count(what string, n, most int) error {
	if n < 1 || n > most {
		return refusal.New(refusal.BadInput, "INVALID_COUNT", "One call takes 1 to %d %s", most, what)
	}
	return nil
}

// Length returns an error for texts that are too short or too long, in Unicode characters.
func Length(what, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most || !utf8.ValidString(text) {
		return refusal.New(refusal.BadInput, "INVALID_LENGTH", "The %s has %d to %d characters, not %d", what, least, most, n)
	}
	return nil
}

// Outdated returns the refusal of a change with a version other than the current one.
func Outdated(current int) error {
	return refusal.New(refusal.Outdated, "", "It is of version %d by now: look at it again", current).With("currentVersion", current)
}

// CheckVersion returns an error if the expected version is not the current one. Nil means
// any.
func CheckVersion(expected *int, current int) error {
	if expected != nil && *expected != current {
		return Outdated(current)
	}
	return nil
}

// First returns the first error that is not nil.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
