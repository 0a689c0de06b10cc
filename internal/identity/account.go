package identity

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Account returns the verified contacts of an identity; an empty one is not set or
// not verified. An anonymous identity is no account before somebody has signed up as it
// or become a user with it.
func (s *Issuer) Account(ctx context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	i, found, err := s.living(ctx, id)
	return i.Email, i.Phone, found && entered(i), err
}

// entered reports whether an identity is more than an anonymous one.
func entered(i Identity) bool { return i.Entered || i.PasswordHash != "" }

// Mint begins a session for the user with a user id or username, without a
// password: it is for the service's operator.
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

// Delete removes an identity and frees its contacts and logins; without one it does
// nothing. Nobody can sign in as it or refresh its tokens any more. Those that are out
// stay good until they expire.
func (s *Issuer) Delete(ctx context.Context, id viewer.UserID, save Save) error {
	return s.remove(ctx, id, 0, save)
}

// deleteAndEnd deletes an identity and ends all its tokens.
func (s *Issuer) deleteAndEnd(ctx context.Context, id viewer.UserID) error {
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

// Versions tells a verifier of tokens which of them have been ended.
type Versions struct{ Store Store }

// TokenVersion is the least version of an identity's tokens that still count.
func (v Versions) TokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	i, _, err := v.Store.Identity(ctx, id)
	return i.TokenVersion, err
}

// caller returns the identity that makes a request.
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
