// Package refusal has the errors that a client is meant to read.
//
// An error of any other type is the server's fault: clients are told that something
// failed, and its text stays in the log.
package refusal

import (
	"errors"
	"fmt"
)

// Kind says whose fault an error is and what a caller can do about it. The list is only
// ever appended to.
type Kind uint8

const (
	// Invalid input, or a rule that refuses: repeating the call changes nothing.
	Invalid Kind = iota + 1
	// NotFound means that a named thing does not exist, or not for this viewer.
	NotFound
	// Conflict means that the stored state is no longer the one the decision was made
	// on: decide again (package retry).
	Conflict
	// Forbidden means that this caller may never do this.
	Forbidden
)

// String names the kind as it stands in logs and in the `code` of API errors.
func (k Kind) String() string {
	switch k {
	case Invalid:
		return "INVALID"
	case NotFound:
		return "NOT_FOUND"
	case Conflict:
		return "CONFLICT"
	case Forbidden:
		return "FORBIDDEN"
	default:
		return "INTERNAL"
	}
}

// Error is a refusal. Clients match on Text, so texts are part of the contract.
type Error struct {
	Kind Kind
	Text string
	// Info lists machine-readable codes for clients that branch on them; most errors
	// have none.
	Info []string
}

func (e *Error) Error() string { return e.Text }

// Invalidf makes an Invalid error from a format.
func Invalidf(format string, args ...any) error { return newf(Invalid, format, args) }

// NotFoundf makes a NotFound error from a format.
func NotFoundf(format string, args ...any) error { return newf(NotFound, format, args) }

// Forbiddenf makes a Forbidden error from a format.
func Forbiddenf(format string, args ...any) error { return newf(Forbidden, format, args) }

// Conflictf makes a Conflict error from a format.
func Conflictf(format string, args ...any) error { return newf(Conflict, format, args) }

func newf(k Kind, format string, args []any) error {
	return &Error{Kind: k, Text: fmt.Sprintf(format, args...)}
}

// KindOf returns the kind of the first *Error in err's chain, or 0.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}
