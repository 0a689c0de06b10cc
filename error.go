package stoa

import (
	"errors"
	"fmt"
)

// Kind says whose fault an error is and what a caller can do about it. The list
// is only ever appended to.
type Kind uint8

const (
	// Invalid input or a rule that refuses: repeating the call changes nothing.
	Invalid Kind = iota + 1
	// NotFound means that a named thing does not exist, or not for this viewer.
	NotFound
	// Conflict means that the stored state is no longer the one the decision was
	// made on: decide again.
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

// Error is a refusal that the client is meant to read. Clients match on Text, so
// texts are part of the contract. Any other error type is the server's fault and
// its text stays in the log.
type Error struct {
	Kind Kind
	Text string
	// Info lists machine-readable codes for clients that branch on them; most
	// errors have none.
	Info []string
}

func (e *Error) Error() string { return e.Text }

// Refuse makes an Invalid error from a format.
func Refuse(format string, args ...any) error {
	return &Error{Kind: Invalid, Text: fmt.Sprintf(format, args...)}
}

// Missing makes a NotFound error from a format.
func Missing(format string, args ...any) error {
	return &Error{Kind: NotFound, Text: fmt.Sprintf(format, args...)}
}

// Forbid makes a Forbidden error from a format.
func Forbid(format string, args ...any) error {
	return &Error{Kind: Forbidden, Text: fmt.Sprintf(format, args...)}
}

// Changed makes a Conflict error from a format.
func Changed(format string, args ...any) error {
	return &Error{Kind: Conflict, Text: fmt.Sprintf(format, args...)}
}

// KindOf returns the kind of the first *Error in err's chain, or 0.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}
