package desk

import (
	"time"

	"stoa/internal/kit/optional"
)

// AuditLine is one line of the audit log.
type AuditLine struct {
	ID string `dynamo:"lineId,keyonly"`
	// Time is when it happened.
	Time time.Time `dynamo:"time,keyonly"`
	// Actor is who did it. In the store, that is a pseudonym, like SubjectID.
	Actor UserID `dynamo:"actorId"`
	// Role is that in which they acted.
	Role   Role   `dynamo:"role"`
	Action string `dynamo:"action"`
	// SubjectID is who or what it was about. In the store, a person, or what has the id of one,
	// is a pseudonym, so that a line need not change for them to be forgotten.
	SubjectID string `dynamo:"subjectId"`
	// Meant is what the pseudonyms of a new line lead to.
	Meant map[string]string `dynamo:"-"`
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
