package identity

import (
	"context"
	"math"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Account returns the verified contacts of an identity; empty if unset or not verified. An
// anonymous identity has no account until its user signs up or becomes a user.
func (s *Issuer) Account(ctx context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	i, found, err := s.living(ctx, id)
	return i.Email, i.Phone, found && entered(i), err
}

// entered reports whether an identity is no longer anonymous.
func entered(i Identity) bool { return i.Entered || i.PasswordHash != "" }

// anonymous reports whether nobody could sign in as an identity.
func anonymous(i Identity) bool {
	return i.PasswordHash == "" && i.Email == "" && i.Phone == "" && i.Apple == "" && i.Google == "" && i.Facebook == ""
}

// Mint starts a session, without a password, for the user with a user id or username. It is
// for operators.
func (s *Issuer) Mint(ctx context.Context, user string) (viewer.UserID, Tokens, error) {
	n := name{byUsername, user}
	if viewer.UserID(user).Valid() {
		n.kind = byUserID
	}
	owner, err := s.resolve(ctx, n)
	if err != nil {
		return "", Tokens{}, err
	}
	if owner.UserID == "" {
		return "", Tokens{}, refusal.NotFoundf("No account for `%s`: give the user id or username of one that has signed up", user)
	}
	tokens, err := s.begin(ctx, owner)
	return owner.UserID, tokens, err
}

// Delete removes an identity and releases its contacts and logins. It does nothing if the
// identity does not exist. It ends sign-in and refresh tokens; issued access tokens remain
// valid until they expire.
func (s *Issuer) Delete(ctx context.Context, id viewer.UserID, save Save) error {
	return s.remove(ctx, id, 0, save)
}

// DeleteAndEnd deletes an identity and revokes all its tokens.
func (s *Issuer) DeleteAndEnd(ctx context.Context, id viewer.UserID) error {
	return s.remove(ctx, id, 1, nil)
}

func (s *Issuer) remove(ctx context.Context, id viewer.UserID, versions int, save Save) error {
	_, err := s.changeWith(ctx, id, save, func(i *Identity) error {
		if lives(*i) {
			*i = Identity{
				UserID: id, CreatedAt: i.CreatedAt, DeletedAt: s.now(),
				TokenVersion: i.TokenVersion + versions, Revision: i.Revision,
			}
		}
		return nil
	})
	return err
}

// Forget removes what is left of the sign-ins of a deleted identity: its refresh tokens, where they
// were used, and the messages to it. It does nothing for an identity that exists.
func (s *Issuer) Forget(ctx context.Context, id viewer.UserID) error {
	if _, found, err := s.living(ctx, id); found || err != nil {
		return err
	}
	return s.Store.Forget(ctx, id)
}

// Versions reports revoked tokens to a verifier.
type Versions struct{ Store Store }

// TokenVersion returns the lowest valid version of an identity's tokens.
func (v Versions) TokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	i, found, err := v.Store.Identity(ctx, id)
	if err == nil && !found {
		return math.MaxInt, nil // erased
	}
	return i.TokenVersion, err
}

// caller returns the identity that sent a request.
func (s *Issuer) caller(ctx context.Context, authorization string) (Identity, error) {
	id, err := s.Tokens.Authenticate(ctx, authorization)
	if err != nil {
		return Identity{}, err
	}
	i, found, err := s.living(ctx, id)
	if err == nil && !found {
		err = refusal.Forbiddenf("You are not authorized to make this call.") // the token outlived the account
	}
	return i, err
}
