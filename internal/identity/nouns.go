package identity

import (
	"time"

	"stoa/internal/kit/viewer"
)

// Identity determines who may sign in as a user, and how. It is not the profile: it exists
// before, after and without one.
type Identity struct {
	UserID viewer.UserID
	// Entered is set once the identity has signed up or become a user's. It is false for
	// anonymous identities.
	Entered bool
	// PasswordHash is empty if no password has been set.
	PasswordHash string
	// Seeded is set for generated identities, which have a publicly known password.
	Seeded bool
	// Email and Phone are verified and unique; empty if unset.
	Email, Phone string
	// PendingEmail and PendingPhone await verification. A contact may be pending for any
	// number of identities.
	PendingEmail, PendingPhone PendingContact
	// Apple, Google and Facebook are the subjects of linked logins. Each belongs to at most
	// one identity.
	Apple, Google, Facebook string
	// Reset is the pending code for resetting a forgotten password.
	Reset Code
	// TokenVersion is the lowest valid version of tokens.
	TokenVersion int
	CreatedAt    time.Time
	// DeletedAt is zero unless the identity is deleted. A deleted identity is kept, without
	// contacts and password, so that its id, which may still refer to a profile, cannot be
	// reused for sign-up.
	DeletedAt time.Time
	// Revision increases by one with every stored change; the first is 1.
	Revision int
}

// Names of providers, as in provider.Login.
const (
	Apple    = "apple"
	Google   = "google"
	Facebook = "facebook"
)

// PendingContact is a contact whose ownership has yet to be verified.
type PendingContact struct {
	Value string
	Code  Code
	// Changing is set if the contact replaces another one, which a sign-up confirmation
	// does not do; see Issuer.FinishChange.
	Changing bool
}

// Code is a secret code sent to a contact. The zero Code matches nothing.
type Code struct {
	// Digest is the stored digest of the code.
	Digest    string
	ExpiresAt time.Time
	TriesLeft int
}

// TokenFamily is the chain of refresh tokens of one sign-in. Only its newest token is
// valid.
type TokenFamily struct {
	FamilyID string
	UserID   viewer.UserID
	// Digest is the stored digest of the newest token.
	Digest       string
	TokenVersion int
	ExpiresAt    time.Time
}

// Key is a private key. With read access to stored keys, an attacker can sign in as any
// user, so their table must be protected like a password file.
type Key struct {
	// Use is the purpose of the key; ids are unique within a use.
	Use   string
	KeyID string
	// Private is the key in PKCS #8, DER-encoded, or the bytes of a symmetric key.
	Private   []byte
	CreatedAt time.Time
}

// Message is a message to the owner of an identity, delivered outside the API.
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
