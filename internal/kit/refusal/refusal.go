// Package refusal has the errors that a client is meant to read.
//
// An error of any other type is the server's fault: clients are told that something
// failed, and its text stays in the log.
package refusal

import (
	"cmp"
	"errors"
	"fmt"
)

// Kind says whose fault an error is and what a caller can do about it. Kinds whose code is
// INTERNAL stand last.
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
	// BadInput is Invalid input in systems that tell it apart from a rule that refuses.
	BadInput
	// Taken means that somebody else has what may be had once. Clients see a conflict,
	// but deciding again changes nothing.
	Taken
	// Outdated means that a thing is no longer of the version that the caller named.
	Outdated
	// LimitExceeded means that there would be more of something than may be.
	LimitExceeded
	// Precondition means that the state of things does not allow it now.
	Precondition
	// Unauthenticated means that nobody knows who the caller is.
	Unauthenticated
	// BadReference means that a thing which the input names is not there.
	BadReference
	// Fault is no fault of the caller's, but one whose text clients know.
	Fault
)

// String names the kind as it stands in logs and in the `code` of API errors.
func (k Kind) String() string {
	switch k {
	case Invalid:
		return "INVALID"
	case NotFound:
		return "NOT_FOUND"
	case Conflict, Taken:
		return "CONFLICT"
	case Forbidden:
		return "FORBIDDEN"
	case BadInput:
		return "BAD_INPUT"
	case Outdated:
		return "CONCURRENT_UPDATE"
	case LimitExceeded:
		return "LIMIT_EXCEEDED"
	case Precondition:
		return "PRECONDITION_FAILED"
	case Unauthenticated:
		return "UNAUTHENTICATED"
	case BadReference:
		return "BAD_REFERENCE"
	default:
		return "INTERNAL"
	}
}

// Outage is an error of something that the service depends on, whose text may be shown.
// Repeating the call later may help.
type Outage interface {
	error
	// Outage is that text.
	Outage() string
}

// Error is a refusal. Clients match on Text, so texts are part of the contract.
type Error struct {
	Kind Kind
	Text string
	// Info lists machine-readable codes for clients that branch on them; most errors
	// have none.
	Info []string
	// Reason tells errors of one kind apart, as LAST_MEMBER. The social system has none.
	Reason string
	// Code is what clients branch on, where it is another than that of the Kind.
	Code string
	// Details stand beside code and reason, as currentVersion.
	Details map[string]any
}

// New makes an error with a reason and a text from a format.
func New(k Kind, reason, format string, args ...any) *Error {
	return &Error{Kind: k, Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// With adds a detail to an error that was just made.
func (e *Error) With(name string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[name] = value
	return e
}

func (e *Error) Error() string { return e.Text }

// ShownCode is the code that clients see.
func (e *Error) ShownCode() string { return cmp.Or(e.Code, e.Kind.String()) }

// Invalidf makes an Invalid error from a format.
func Invalidf(format string, args ...any) error { return newf(Invalid, format, args) }

// NotFoundf makes a NotFound error from a format.
func NotFoundf(format string, args ...any) error { return newf(NotFound, format, args) }

// Forbiddenf makes a Forbidden error from a format.
func Forbiddenf(format string, args ...any) error { return newf(Forbidden, format, args) }

// Faultf makes a Fault error from a format.
func Faultf(format string, args ...any) error { return newf(Fault, format, args) }

// Conflictf makes a Conflict error from a format.
func Conflictf(format string, args ...any) error { return newf(Conflict, format, args) }

// ErrChanged means that what was decided on no longer holds: decide again.
var ErrChanged = New(Conflict, "", "Somebody else changed this at the same time: try again")

// ErrConcurrent is ErrChanged where clients see it as the change of something outdated.
var ErrConcurrent = &Error{Kind: Conflict, Code: Outdated.String(), Text: ErrChanged.Text}

// ErrTaken is a store's answer that the id, or the name, of something new is in use. An
// area turns it into the refusal that its client reads.
var ErrTaken = errors.New("taken")

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
