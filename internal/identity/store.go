package identity

import (
	"context"
	"io"
	"time"

	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
)

// Store stores identities, refresh tokens, keys and messages. Reads are consistent. A write
// fails with an error of kind refusal.Conflict and changes nothing if the state it was
// decided on has changed.
type Store interface {
	KeyStore

	// Identity also returns deleted identities.
	Identity(ctx context.Context, id viewer.UserID) (i Identity, found bool, err error)
	// EmailHolder and PhoneHolder return the id of the identity with a verified contact.
	EmailHolder(ctx context.Context, email string) (id viewer.UserID, found bool, err error)
	PhoneHolder(ctx context.Context, phone string) (id viewer.UserID, found bool, err error)
	// Claimant returns the id of the identity, the latest of several, of an owner who has
	// signed up with a contact and not verified it; see Identity.Claims.
	Claimant(ctx context.Context, contact string) (id viewer.UserID, found bool, err error)
	// LoginHolder returns the id of the identity that a third-party login is linked to.
	LoginHolder(ctx context.Context, provider, subject string) (id viewer.UserID, found bool, err error)
	// SaveIdentity replaces before, whose Revision is 0 if there was none, by after. It
	// claims verified contacts and logins that only after has, and releases those that only
	// before has. One that another identity holds is a Conflict.
	SaveIdentity(ctx context.Context, before, after Identity) error

	TokenFamily(ctx context.Context, id string) (f TokenFamily, found bool, err error)
	AddTokenFamily(ctx context.Context, f TokenFamily) error
	// RotateTokenFamily stores after if the stored digest is that of before.
	RotateTokenFamily(ctx context.Context, before, after TokenFamily) error
	// RemoveTokenFamily also succeeds if the family does not exist.
	RemoveTokenFamily(ctx context.Context, id string) error

	// Forget removes the token families of a deleted identity and the messages to it.
	Forget(ctx context.Context, id viewer.UserID) error

	AddMessage(ctx context.Context, m Message) error
	// Messages returns the latest messages to a user, newest first.
	Messages(ctx context.Context, id viewer.UserID, limit int) ([]Message, error)
}

// KeyStore stores private keys for all processes of the service.
type KeyStore interface {
	// Keys returns the keys for a use in no particular order.
	Keys(ctx context.Context, use string) ([]Key, error)
	// AddKey fails with a Conflict if a key with that use and id exists.
	AddKey(ctx context.Context, k Key) error
	RemoveKey(ctx context.Context, use, id string) error
}

// SharedKey returns the key for a use that has a single one, shared by all processes, and
// creates it if necessary. If several processes create it at once, the first one's is used.
func SharedKey(ctx context.Context, s KeyStore, k Key, create func() ([]byte, error)) ([]byte, error) {
	return retry.OnConflict(func() ([]byte, error) {
		stored, err := s.Keys(ctx, k.Use)
		if err != nil {
			return nil, err
		}
		if len(stored) > 0 {
			return stored[0].Private, nil
		}
		if k.Private, err = create(); err != nil {
			return nil, err
		}
		return k.Private, s.AddKey(ctx, k)
	})
}

// PseudonymKey returns the key of pseudonyms of people, which all processes share.
func PseudonymKey(ctx context.Context, s KeyStore, random io.Reader, now time.Time) ([]byte, error) {
	return SharedKey(ctx, s, Key{Use: keyForPseudonyms, KeyID: "1", CreatedAt: now}, func() ([]byte, error) {
		key := make([]byte, 32)
		_, err := io.ReadFull(random, key)
		return key, err
	})
}

// Uses of a key.
const (
	keyForPseudonyms = "pseudonyms"
	keyForTokens     = "tokens"
	keyForPasswords  = "passwords"
	keyForCodes      = "codes"
)

// Usernames finds users by name.
type Usernames interface {
	// UserIDByUsername returns the id of the user with a name, ignoring case. Invalid
	// usernames are not found.
	UserIDByUsername(ctx context.Context, name string) (id viewer.UserID, found bool, err error)
	// ValidUsername reports whether name is a valid username.
	ValidUsername(name string) bool
	// ReservedUsername reports whether a name is reserved.
	ReservedUsername(name string) bool
}

// Authenticator returns the caller identified by an Authorization value. Refusals are
// errors of kind refusal.Forbidden.
type Authenticator interface {
	Authenticate(ctx context.Context, authorization string) (viewer.UserID, error)
}
