package identity

import (
	"context"

	"stoa"
)

// Store keeps identities, refresh tokens, keys and messages. Reads see every write
// that came before them. A write that finds another state than it was decided on
// fails with an error of kind stoa.Conflict and changes nothing.
type Store interface {
	KeyStore

	// Identity returns deleted identities as well.
	Identity(ctx context.Context, id stoa.UserID) (i stoa.Identity, found bool, err error)
	// EmailHolder and PhoneHolder name the identity with that verified contact.
	EmailHolder(ctx context.Context, email string) (id stoa.UserID, found bool, err error)
	PhoneHolder(ctx context.Context, phone string) (id stoa.UserID, found bool, err error)
	// SaveIdentity stores after in place of before, whose Revision is 0 if there was
	// none. Verified contacts that only after has are claimed, those that only
	// before has are freed; a contact that another identity holds is a Conflict.
	SaveIdentity(ctx context.Context, before, after stoa.Identity) error

	TokenFamily(ctx context.Context, id string) (f stoa.TokenFamily, found bool, err error)
	AddTokenFamily(ctx context.Context, f stoa.TokenFamily) error
	// RotateTokenFamily stores after if the digest is still that of before.
	RotateTokenFamily(ctx context.Context, before, after stoa.TokenFamily) error
	// RemoveTokenFamily succeeds as well if there is no such family.
	RemoveTokenFamily(ctx context.Context, id string) error

	AddMessage(ctx context.Context, m stoa.IdentityMessage) error
	// Messages returns the latest messages to a user, newest first.
	Messages(ctx context.Context, id stoa.UserID, limit int) ([]stoa.IdentityMessage, error)
}

// KeyStore keeps private keys where every process of the service finds them.
type KeyStore interface {
	// Keys returns the keys of that use in no particular order.
	Keys(ctx context.Context, use string) ([]stoa.IdentityKey, error)
	// AddKey fails with a Conflict if there is a key of that use and id.
	AddKey(ctx context.Context, k stoa.IdentityKey) error
	RemoveKey(ctx context.Context, use, id string) error
}

// Uses of a key.
const (
	keyForTokens    = "tokens"
	keyForPasswords = "passwords"
)

// Usernames finds users by name.
type Usernames interface {
	// UserIDByUsername looks a lower-cased name up.
	UserIDByUsername(ctx context.Context, lower string) (id stoa.UserID, found bool, err error)
}

// Authenticator names the caller behind an Authorization value. Its refusals are
// errors of kind stoa.Forbidden.
type Authenticator interface {
	Authenticate(ctx context.Context, authorization string) (stoa.UserID, error)
}
