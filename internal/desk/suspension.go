package desk

import (
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
)

// Suspension keeps a person out of all systems: no token of theirs is accepted.
type Suspension struct {
	UserID UserID `dynamo:"userId,keyonly"`
	Reason string `dynamo:"reason"`
	// Until is when a job reinstates the person; zero if only an operator or a moderator does.
	Until time.Time `dynamo:"until"`
	// By is who suspended the person, in the role ByRole.
	By     UserID    `dynamo:"by"`
	ByRole Role      `dynamo:"byRole"`
	Since  time.Time `dynamo:"since"`
	// BanContacts is set if nobody may sign up with the contacts and the device of the person.
	BanContacts bool `dynamo:"banContacts"`
	// Rule is the id of the house rule that the person has broken, or "".
	Rule string `dynamo:"rule"`
	// Former are the statuses that the person had before, by system, or has once its end has been
	// delivered.
	Former map[string]string `dynamo:"former"`
	// Ended is set once the person has been reinstated: the row is kept for a while, so that
	// processes that look for changes see that.
	Ended bool `dynamo:"ended"`
	// ChangedAt is when this was stored.
	ChangedAt time.Time `dynamo:"changedAt"`
	// Changed is ChangedAt in microseconds since 1970.
	Changed int `dynamo:"changed,keyonly"`
}

// Holds reports whether a stored suspension, or nil, keeps the person out.
func (s *Suspension) Holds() bool { return s != nil && !s.Ended }

// At returns the suspension as stored at a time.
func (s Suspension) At(now time.Time) Suspension {
	s.ChangedAt, s.Changed = now, int(now.UnixMicro())
	return s
}

// EndedAt returns what is kept of the suspension once the person has been reinstated with statuses
// by system, of which those that are not known are left out.
func (s Suspension) EndedAt(now time.Time, statuses map[string]string) Suspension {
	return Suspension{UserID: s.UserID, Since: s.Since, Ended: true, Former: statuses}.At(now)
}

// CodeSuspended is the code of refused sign-ins of suspended people.
const CodeSuspended = "SUSPENDED"

// Refusal is what a suspended person is told who signs in.
func (s *Suspension) Refusal() error {
	text := "Account is suspended"
	if !s.Until.IsZero() {
		text += " until " + stamp.MilliOf(s.Until)
	}
	return &refusal.Error{Kind: refusal.Forbidden, Code: CodeSuspended, Text: text + ": " + s.Reason}
}

// SuspensionStep is a decided change of a suspension.
type SuspensionStep struct {
	// Before is what is stored, nil if there is nothing.
	Before *Suspension
	After  Suspension
}

// PersonSuspended: somebody has been suspended, or suspended differently.
type PersonSuspended struct{ UserID UserID }

func (PersonSuspended) EventName() string     { return "person.suspended" }
func (e PersonSuspended) OrderingKey() string { return string(e.UserID) }

// PersonReinstated: the suspension of somebody has ended.
type PersonReinstated struct {
	UserID UserID
	At     time.Time
	// Former are the statuses that the person had before, by system.
	Former map[string]string `json:",omitempty"`
	// ByHand is set if somebody has decided it, which also ends what a system has decided
	// against the person by itself.
	ByHand bool `json:",omitempty"`
}

func (PersonReinstated) EventName() string     { return "person.reinstated" }
func (e PersonReinstated) OrderingKey() string { return string(e.UserID) }

// SignedOut: all tokens of somebody have been revoked.
type SignedOut struct {
	UserID UserID
	// Least are the lowest versions of tokens that are still valid, by system; "" is the service.
	// Those of whoever signs in again stay valid when the event is delivered twice. Events of
	// earlier versions lack it.
	Least map[string]int `json:",omitempty"`
}

func (SignedOut) EventName() string     { return "person.signed_out" }
func (e SignedOut) OrderingKey() string { return string(e.UserID) }

// PersonErased: everything about somebody is to be removed, in all systems.
type PersonErased struct {
	UserID UserID
	At     time.Time
}

func (PersonErased) EventName() string     { return "person.erased" }
func (e PersonErased) OrderingKey() string { return string(e.UserID) }

// TokensEnded tells processes that tokens of somebody have ended, or are good again.
type TokensEnded struct{ UserID UserID }

// TokensChanged is the subject of TokensEnded.
const TokensChanged = "operator.tokensEnded"

// Subject returns the subject that processes listen to.
func (TokensEnded) Subject() string { return TokensChanged }

// PersonNote is what somebody of the team has noted about a person.
type PersonNote struct {
	UserID UserID    `dynamo:"userId,keyonly"`
	NoteID string    `dynamo:"noteId,keyonly"`
	When   time.Time `dynamo:"when,keyonly"`
	By     UserID    `dynamo:"by"`
	Text   string    `dynamo:"text"`
}

// Export is the data of a person that an operator can fetch once.
type Export struct {
	ExportID string `dynamo:"exportId,keyonly"`
	UserID   UserID `dynamo:"userId"`
	// Digest is that of the secret in the URL.
	Digest    string    `dynamo:"digest"`
	ExpiresAt time.Time `dynamo:"expiresAt"`
}
