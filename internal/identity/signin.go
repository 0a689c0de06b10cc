package identity

import (
	"context"
	"slices"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// errMismatch is returned for every failed sign-in alike.
var errMismatch = refusal.Forbiddenf("Incorrect username or password.")

// A name identifies the user who signs in. Kind is the field that contained it.
type name struct{ kind, value string }

// Kinds of a name.
const (
	byUserID   = "userId"
	byUsername = "username"
	byEmail    = "email"
	byPhone    = "phone"
)

// resolve returns the identity of a name, or a zero Identity if there is none.
func (s *Issuer) resolve(ctx context.Context, n name) (Identity, error) {
	var id viewer.UserID
	var found bool
	var err error
	switch n.kind {
	case byUserID:
		id = viewer.UserID(n.value)
		found = id.Valid()
	case byUsername:
		id, found, err = s.Usernames.UserIDByUsername(ctx, n.value)
	case byEmail:
		if found = checkEmail(n.value) == nil; found {
			id, found, err = s.Store.EmailHolder(ctx, n.value)
		}
	case byPhone:
		if found = checkPhone(n.value) == nil; found {
			id, found, err = s.Store.PhoneHolder(ctx, n.value)
		}
	}
	if err != nil || !found {
		return Identity{}, err
	}
	owner, _, err := s.living(ctx, id)
	return owner, err
}

// signIn checks a password. It takes the time of one hash for known and unknown names
// alike.
func (s *Issuer) signIn(ctx context.Context, n name, password, address string) (Tokens, error) {
	if n.kind == byEmail {
		if err := checkCase(n.value); err != nil {
			return Tokens{}, err
		}
	}
	if err := s.attempts.signInFrom(address); err != nil {
		return Tokens{}, err
	}
	owner, err := s.resolve(ctx, n)
	if err != nil {
		return Tokens{}, err
	}
	waits := false
	if owner.UserID == "" {
		if owner, err = s.claimant(ctx, n); err != nil {
			return Tokens{}, err
		}
		waits = owner.UserID != ""
	}
	succeeded, err := s.takeSignIn(n, owner.UserID, address)
	if err != nil {
		return Tokens{}, err
	}
	right, err := s.passwords.matches(ctx, owner.PasswordHash, password)
	if err != nil {
		return Tokens{}, err
	}
	if !right || owner.Seeded && s.Mode != Dev {
		return Tokens{}, errMismatch
	}
	succeeded()
	if waits {
		return Tokens{}, &unconfirmed{owner.UserID}
	}
	if s.passwords.outdated(owner.PasswordHash) {
		if owner, err = s.rehash(ctx, owner, password); err != nil {
			return Tokens{}, err
		}
	}
	return s.begin(ctx, owner)
}

// unconfirmed is the error of a sign-in with the right password by a contact that is not
// verified yet.
type unconfirmed struct{ userID viewer.UserID }

func (*unconfirmed) Error() string {
	return "Not confirmed yet: confirm with the code that was sent at sign-up, or ask for another."
}

// claimant returns the identity that has signed up with a contact that nobody has verified,
// or a zero Identity if there is none. Of several it is the latest.
func (s *Issuer) claimant(ctx context.Context, n name) (Identity, error) {
	if n.kind != byEmail && n.kind != byPhone {
		return Identity{}, nil
	}
	id, found, err := s.Store.Claimant(ctx, n.value)
	if err != nil || !found {
		return Identity{}, err
	}
	claimant, _, err := s.living(ctx, id)
	if err != nil || !slices.Contains(claimant.Claims(), n.value) {
		return Identity{}, err
	}
	return claimant, nil
}

// takeSignIn counts an attempt of an address to sign in by a name, which may have an owner.
func (s *Issuer) takeSignIn(n name, owner viewer.UserID, address string) (succeeded func(), err error) {
	account := string(owner)
	if account == "" {
		account = n.kind + " " + n.value
	}
	return s.attempts.signInTo(account, address)
}

// rehash stores a hash of a verified password at the current cost.
func (s *Issuer) rehash(ctx context.Context, checked Identity, password string) (Identity, error) {
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return Identity{}, err
	}
	return s.change(ctx, checked.UserID, func(i *Identity) error {
		if i.PasswordHash != checked.PasswordHash {
			return errMismatch // changed meanwhile
		}
		i.PasswordHash = hash
		return nil
	})
}
