// Package refusal has the errors that are intended for clients.
//
// Errors of all other types are internal: clients are told that something failed, and the
// text is only logged.
package refusal

import (
	"cmp"
	"errors"
	"fmt"
)

// Kind determines the cause of an error and the caller's options. Kinds whose code is
// INTERNAL are last.
type Kind uint8

const (
	// Invalid means invalid input or a rule that refuses: repeating the call has the same
	// result.
	Invalid Kind = iota + 1
	// NotFound means that an object does not exist, or not for this viewer.
	NotFound
	// Conflict means that the stored state a decision was based on has changed: decide
	// again (package retry).
	Conflict
	// Forbidden means that this caller may never do this.
	Forbidden
	// BadInput is Invalid for input, in systems that distinguish it from refusing rules.
	BadInput
	// Taken means that a unique value is in use. Clients see a conflict, but deciding again
	// has the same result.
	Taken
	// Outdated means that an object no longer has the version named by the caller.
	Outdated
	// LimitExceeded means that the number of objects would exceed its limit.
	LimitExceeded
	// Precondition means that the current state does not allow the change.
	Precondition
	// Unauthenticated means that the caller is unknown.
	Unauthenticated
	// BadReference means that an object named in the input does not exist.
	BadReference
	// Fault is an internal error whose text clients know.
	Fault
)

// String returns the name of the kind in logs and in the `code` of API errors.
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

// Outage is an error of a dependency of the service, whose text may be shown. Repeating the
// call later may help.
type Outage interface {
	error
	// Outage returns that text.
	Outage() string
}

// Error is a refusal. Clients match Text, so texts are part of the contract.
type Error struct {
	Kind Kind
	Text string
	// Info lists machine-readable codes for clients; usually empty.
	Info []string
	// Reason distinguishes errors of one kind, such as LAST_MEMBER. The social system has
	// none.
	Reason string
	// Code is the code for clients if it differs from that of the Kind.
	Code string
	// Details are further extensions, such as currentVersion.
	Details map[string]any
}

// New returns an error with a reason and a formatted text.
func New(k Kind, reason, format string, args ...any) *Error {
	return &Error{Kind: k, Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// With adds a detail to a new error.
func (e *Error) With(name string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[name] = value
	return e
}

func (e *Error) Error() string { return e.Text }

// ShownCode returns the code that clients see.
func (e *Error) ShownCode() string { return cmp.Or(e.Code, e.Kind.String()) }

// Invalidf returns an Invalid error with a formatted text.
func Invalidf(format string, args ...any) error { return newf(Invalid, format, args) }

// NotFoundf returns a NotFound error with a formatted text.
func NotFoundf(format string, args ...any) error { return newf(NotFound, format, args) }

// Forbiddenf returns a Forbidden error with a formatted text.
func Forbiddenf(format string, args ...any) error { return newf(Forbidden, format, args) }

// Faultf returns a Fault error with a formatted text.
func Faultf(format string, args ...any) error { return newf(Fault, format, args) }

// Conflictf returns a Conflict error with a formatted text.
func Conflictf(format string, args ...any) error { return newf(Conflict, format, args) }

// ErrChanged means that the facts of a decision no longer hold: decide again.
var ErrChanged = New(Conflict, "", "Somebody else changed this at the same time: try again")

// IgnoreConflict returns nil instead of a Conflict: what was to be changed is gone, or has been
// changed meanwhile as well.
func IgnoreConflict(err error) error {
	if KindOf(err) == Conflict {
		return nil
	}
	return err
}

// ErrConcurrent is ErrChanged in systems whose clients see it as an outdated version.
var ErrConcurrent = &Error{Kind: Conflict, Code: Outdated.String(), Text: ErrChanged.Text}

// ErrTaken is returned by a store if a new id or name is in use. Areas convert it to a
// refusal for clients.
var ErrTaken = errors.New("taken")

func newf(k Kind, format string, args []any) error {
	return &Error{Kind: k, Text: fmt.Sprintf(format, args...)}
}

// KindOf returns the kind of the first *Error in err's chain, or 0.
func KindOf(err error) Kind {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return 0
}
