package identity

import (
	"time"

	"stoa/internal/kit/viewer"
)

// Identity determines who may sign in as a user, and how. It is not the profile: it exists
// before, after and without one.
type Identity struct {
	UserID viewer.UserID `dynamo:"userId"`
	// Entered is set once the identity has signed up or become a user's. It is false for
	// anonymous identities.
	Entered bool `dynamo:"entered"`
	// PasswordHash is empty if no password has been set.
	PasswordHash string `dynamo:"passwordHash"`
	// Seeded is set for generated identities, which have a publicly known password.
	Seeded bool `dynamo:"seeded"`
	// Email and Phone are verified and unique; empty if unset.
	Email string `dynamo:"email"`
	Phone string `dynamo:"phone"`
	// PendingEmail and PendingPhone await verification. A contact may be pending for any
	// number of identities.
	PendingEmail PendingContact `dynamo:"pendingEmail"`
	PendingPhone PendingContact `dynamo:"pendingPhone"`
	// Apple, Google and Facebook are the subjects of linked logins. Each belongs to at most
	// one identity.
	Apple    string `dynamo:"apple"`
	Google   string `dynamo:"google"`
	Facebook string `dynamo:"facebook"`
	// Reset is the pending code for resetting a forgotten password.
	Reset Code `dynamo:"reset"`
	// TokenVersion is the lowest valid version of tokens.
	TokenVersion int       `dynamo:"tokenVersion"`
	CreatedAt    time.Time `dynamo:"createdAt"`
	// DeletedAt is zero unless the identity is deleted. A deleted identity is kept, without
	// contacts and password, so that its id, which may still refer to a profile, cannot be
	// reused for sign-up.
	DeletedAt time.Time `dynamo:"deletedAt"`
	// Revision increases by one with every stored change; the first is 1.
	Revision int `dynamo:"revision"`
}

// Claims returns the contacts that its owner has signed up with and not verified.
func (i Identity) Claims() (contacts []string) {
	for _, c := range contactsOf(&i) {
		if c.pending.Value != "" && !c.pending.Changing && c.pending.Value != *c.verified {
			contacts = append(contacts, c.pending.Value)
		}
	}
	return contacts
}

// Names of providers, as in provider.Login.
const (
	Apple    = "apple"
	Google   = "google"
	Facebook = "facebook"
)

// PendingContact is a contact whose ownership has yet to be verified.
type PendingContact struct {
	Value string `dynamo:"value"`
	Code  Code   `dynamo:"code"`
	// Changing is set if the contact replaces another one, which a sign-up confirmation
	// does not do; see Issuer.FinishChange.
	Changing bool `dynamo:"changing"`
}

// Code is a secret code sent to a contact. The zero Code matches nothing.
type Code struct {
	// Digest is the stored digest of the code.
	Digest    string    `dynamo:"digest"`
	ExpiresAt time.Time `dynamo:"expiresAt"`
	TriesLeft int       `dynamo:"triesLeft"`
}

// TokenFamily is the chain of refresh tokens of one sign-in. Only its newest token is
// valid.
type TokenFamily struct {
	FamilyID string        `dynamo:"familyId,keyonly"`
	UserID   viewer.UserID `dynamo:"userId"`
	// Digest is the stored digest of the newest token.
	Digest       string    `dynamo:"digest"`
	TokenVersion int       `dynamo:"tokenVersion"`
	ExpiresAt    time.Time `dynamo:"expiresAt"`
	// StartedAt is the sign-in, LastUsedAt the last exchange of a token; zero in families that
	// earlier versions have stored.
	StartedAt  time.Time `dynamo:"startedAt"`
	LastUsedAt time.Time `dynamo:"lastUsedAt"`
	// Origin is that of the last exchange.
	Origin
}

// Origin is where a request comes from; empty as far as that is unknown.
type Origin struct {
	// Client is what the client says about itself.
	Client string `dynamo:"client"`
	// Address is the network address.
	Address string `dynamo:"address"`
}

// Key is a private key. With read access to stored keys, an attacker can sign in as any
// user, so their table must be protected like a password file.
type Key struct {
	// Use is the purpose of the key; ids are unique within a use.
	Use   string `dynamo:"use,keyonly"`
	KeyID string `dynamo:"keyId,keyonly"`
	// Private is the key in PKCS #8, DER-encoded, or the bytes of a symmetric key.
	Private   []byte    `dynamo:"private"`
	CreatedAt time.Time `dynamo:"createdAt"`
}

// Message is a message to the owner of an identity, delivered outside the API.
type Message struct {
	MessageID string        `dynamo:"messageId,keyonly"`
	UserID    viewer.UserID `dynamo:"userId,keyonly"`
	// Channel is "email" or "sms".
	Channel string `dynamo:"channel"`
	To      string `dynamo:"to"`
	// Subject and Link are empty in text messages.
	Subject string    `dynamo:"subject"`
	Text    string    `dynamo:"text"`
	Code    string    `dynamo:"code"`
	Link    string    `dynamo:"link"`
	SentAt  time.Time `dynamo:"sentAt,keyonly"`
}
