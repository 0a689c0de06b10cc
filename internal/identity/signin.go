package identity

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// errMismatch is the one answer to every sign-in that fails.
var errMismatch = refusal.Forbiddenf("Incorrect username or password.")

// A name is what somebody signs in by. Kind is the field that it came in.
type name struct{ kind, value string }

// Kinds of a name.
const (
	byUserID   = "userId"
	byUsername = "username"
	byEmail    = "email"
	byPhone    = "phone"
)

// resolve finds the identity of a name; none is a zero Identity.
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

// signIn checks a password. It takes the time of one hash for known and unknown
// names alike.
func (s *Issuer) signIn(ctx context.Context, n name, password, address string) (Tokens, error) {
	if n.kind == byEmail {
		if err := checkCase(n.value); err != nil {
			return Tokens{}, err
		}
	}
	if err := s.take("sign-in from "+address, s.Limits.SignInAddress); err != nil {
		return Tokens{}, err
	}
	owner, err := s.resolve(ctx, n)
	if err != nil {
		return Tokens{}, err
	}
	about := string(owner.UserID)
	if about == "" {
		about = n.kind + " " + n.value
	}
	bucket := "sign-in of " + about
	if err := s.take(bucket, s.Limits.SignInAccount); err != nil {
		return Tokens{}, err
	}
	right, err := s.passwords.matches(ctx, owner.PasswordHash, password)
	if err != nil {
		return Tokens{}, err
	}
	if !right || owner.Seeded && s.Mode != Dev {
		return Tokens{}, errMismatch
	}
	s.limits.Forget(bucket)
	if s.passwords.outdated(owner.PasswordHash) {
		if owner, err = s.rehash(ctx, owner, password); err != nil {
			return Tokens{}, err
		}
	}
	return s.begin(ctx, owner)
}

// rehash stores a password at the present cost, now that it is known.
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
