package desk

import (
	"time"

	"stoa/internal/kit/optional"
)

// AuditLine is one line of the audit log.
type AuditLine struct {
	ID string `dynamo:"lineId,keyonly"`
	// Time is when it happened.
	Time  time.Time `dynamo:"time,keyonly"`
	Actor UserID    `dynamo:"actorId"`
	// Role is that in which they acted.
	Role   Role   `dynamo:"role"`
	Action string `dynamo:"action"`
	// SubjectID is who or what it was about. That of a person is a pseudonym in the store, so
	// that a line need not change for them to be forgotten.
	SubjectID string `dynamo:"subjectId"`
	// Person is the person to whom a new line's pseudonym leads; empty for lines about
	// something else.
	Person UserID `dynamo:"-"`
	// BeforeJSON and AfterJSON are what was and what is.
	BeforeJSON string `dynamo:"before"`
	AfterJSON  string `dynamo:"after"`
	NoteText   string `dynamo:"note"`
	From       string `dynamo:"address"`
	Request    string `dynamo:"requestId"`
}

// Subject returns who or what the line is about, or nil.
func (l *AuditLine) Subject() *string { return optional.IfSet(l.SubjectID) }

// Before returns what was, or nil.
func (l *AuditLine) Before() *string { return optional.IfSet(l.BeforeJSON) }

// After returns what is, or nil.
func (l *AuditLine) After() *string { return optional.IfSet(l.AfterJSON) }

// Note returns what the actor wrote, or nil.
func (l *AuditLine) Note() *string { return optional.IfSet(l.NoteText) }

// Address returns the address of the request, or nil.
func (l *AuditLine) Address() *string { return optional.IfSet(l.From) }

// RequestID returns the id of the request, or nil.
func (l *AuditLine) RequestID() *string { return optional.IfSet(l.Request) }
