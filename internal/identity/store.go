package identity

import (
	"context"

	"stoa/internal/kit/viewer"
)

// Store keeps identities, refresh tokens, keys and messages. Reads see every write
// that came before them. A write that finds another state than it was decided on
// fails with an error of kind refusal.Conflict and changes nothing.
type Store interface {
	KeyStore

	// Identity returns deleted identities as well.
	Identity(ctx context.Context, id viewer.UserID) (i Identity, found bool, err error)
	// EmailHolder and PhoneHolder name the identity with that verified contact.
	EmailHolder(ctx context.Context, email string) (id viewer.UserID, found bool, err error)
	PhoneHolder(ctx context.Context, phone string) (id viewer.UserID, found bool, err error)
	// LoginHolder names the identity that a person at a provider signs in as.
	LoginHolder(ctx context.Context, provider, subject string) (id viewer.UserID, found bool, err error)
	// SaveIdentity stores after in place of before, whose Revision is 0 if there was
	// none. Verified contacts and logins that only after has are claimed, those that only
	// before has are freed; one that another identity holds is a Conflict.
	SaveIdentity(ctx context.Context, before, after Identity) error

	TokenFamily(ctx context.Context, id string) (f TokenFamily, found bool, err error)
	AddTokenFamily(ctx context.Context, f TokenFamily) error
	// RotateTokenFamily stores after if the digest is still that of before.
	RotateTokenFamily(ctx context.Context, before, after TokenFamily) error
	// RemoveTokenFamily succeeds as well if there is no such family.
	RemoveTokenFamily(ctx context.Context, id string) error

	AddMessage(ctx context.Context, m Message) error
	// Messages returns the latest messages to a user, newest first.
	Messages(ctx context.Context, id viewer.UserID, limit int) ([]Message, error)
}

// KeyStore keeps private keys where every process of the service finds them.
type KeyStore interface {
	// Keys returns the keys of that use in no particular order.
	Keys(ctx context.Context, use string) ([]Key, error)
	// AddKey fails with a Conflict if there is a key of that use and id.
	AddKey(ctx context.Context, k Key) error
	RemoveKey(ctx context.Context, use, id string) error
}

// Uses of a key.
const (
	keyForTokens    = "tokens"
	keyForPasswords = "passwords"
)

// Usernames finds users by name.
type Usernames interface {
	// UserIDByUsername returns who signs in under a name, in any case of its letters.
	// Anything that cannot be a username is not found.
	UserIDByUsername(ctx context.Context, name string) (id viewer.UserID, found bool, err error)
	// ValidUsername reports whether somebody could be named so.
	ValidUsername(name string) bool
	// ReservedUsername reports whether nobody may take a name.
	ReservedUsername(name string) bool
}

// Authenticator names the caller behind an Authorization value. Its refusals are
// errors of kind refusal.Forbidden.
type Authenticator interface {
	Authenticate(ctx context.Context, authorization string) (viewer.UserID, error)
}
