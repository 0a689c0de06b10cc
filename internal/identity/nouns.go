package identity

import (
	"time"

	"stoa/internal/kit/viewer"
)

// Identity is who may sign in as a user, and how. It is not the profile: it exists
// before, after and without one.
type Identity struct {
	UserID viewer.UserID
	// Entered is true from the moment that somebody signed up as this identity or became
	// a user with it. An anonymous identity starts without.
	Entered bool
	// PasswordHash is empty for an identity that has never chosen a password.
	PasswordHash string
	// Seeded identities were made up, with a password that everybody knows.
	Seeded bool
	// Email and Phone are verified, unique, and empty if there is none.
	Email, Phone string
	// PendingEmail and PendingPhone wait for their code. Any number of identities
	// may wait for the same contact.
	PendingEmail, PendingPhone PendingContact
	// Apple, Google and Facebook are who signs in as this identity there. Each belongs
	// to one identity at most.
	Apple, Google, Facebook string
	// Reset is the code that allows a new password to somebody who forgot theirs.
	Reset Code
	// TokenVersion ends tokens of lower versions.
	TokenVersion int
	CreatedAt    time.Time
	// DeletedAt is zero while the identity lives. A deleted one is kept without its
	// contacts and password, so that nobody can sign up under its id, under which a
	// profile may still be known.
	DeletedAt time.Time
	// Revision rises by one with every change that is stored; the first is 1.
	Revision int
}

// Names of providers, as in provider.Login.
const (
	Apple    = "apple"
	Google   = "google"
	Facebook = "facebook"
)

// PendingContact is a contact whose owner has yet to prove that it is theirs.
type PendingContact struct {
	Value string
	Code  Code
	// Changing is true when the contact takes the place of another one, which takes more
	// than a confirmation, see Issuer.FinishChange.
	Changing bool
}

// Code is a secret that was sent to a contact. The zero value accepts
// nothing.
type Code struct {
	// Digest is what is kept of the code.
	Digest    string
	ExpiresAt time.Time
	TriesLeft int
}

// TokenFamily is the chain of refresh tokens that one sign-in began. Only its
// newest token is good.
type TokenFamily struct {
	FamilyID string
	UserID   viewer.UserID
	// Digest is what is kept of the newest token.
	Digest       string
	TokenVersion int
	ExpiresAt    time.Time
}

// Key is a private key. Anyone who can read stored keys can sign in as
// anybody, so the table that holds them deserves the care of a password file.
type Key struct {
	// Use is what the key is for; ids are unique within a use.
	Use   string
	KeyID string
	// Private is the key in PKCS #8, DER.
	Private   []byte
	CreatedAt time.Time
}

// Message is what the owner of an identity is told outside the API.
type Message struct {
	MessageID string
	UserID    viewer.UserID
	// Channel is "email" or "sms".
	Channel string
	To      string
	// Subject and Link are empty in text messages.
	Subject string
	Text    string
	Code    string
	Link    string
	SentAt  time.Time
}
