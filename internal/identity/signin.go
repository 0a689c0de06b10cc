package identity

import (
	"context"

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
	if err := s.take("sign-in from "+address, s.Limits.SignInAddress); err != nil {
		return Tokens{}, err
	}
	owner, err := s.resolve(ctx, n)
	if err != nil {
		return Tokens{}, err
	}
	attempts, err := s.takeSignIn(n, owner.UserID, address)
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
	attempts.succeeded()
	if s.passwords.outdated(owner.PasswordHash) {
		if owner, err = s.rehash(ctx, owner, password); err != nil {
			return Tokens{}, err
		}
	}
	return s.begin(ctx, owner)
}

// attempts are the sign-in attempts of one address for one account.
type attempts struct {
	*Issuer
	pair string
}

// takeSignIn counts an attempt as a failure until it succeeds.
func (s *Issuer) takeSignIn(n name, owner viewer.UserID, address string) (attempts, error) {
	about := string(owner)
	if about == "" {
		about = n.kind + " " + n.value
	}
	a := attempts{s, "sign-in of " + about + " from " + address}
	if err := s.take(a.pair, s.Limits.SignInAttempts); err != nil {
		return a, err
	}
	if s.familiar.Contains(a.pair) {
		return a, nil
	}
	return a, s.take("sign-in of "+about, s.Limits.SignInAccount)
}

// succeeded resets the counters.
func (a attempts) succeeded() {
	a.limits.Forget(a.pair)
	a.familiar.Add(a.pair, struct{}{})
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
