package identity

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Account returns the verified contacts of an identity; an empty one is not set or
// not verified.
func (s *Issuer) Account(ctx context.Context, id viewer.UserID) (email, phone string, found bool, err error) {
	i, found, err := s.living(ctx, id)
	return i.Email, i.Phone, found, err
}

// Mint begins a session for whoever a user id or username names, without a
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

// Delete ends an identity and frees its contacts; without one it does nothing. Its
// refresh tokens are useless at once, its other tokens when they expire.
func (s *Issuer) Delete(ctx context.Context, id viewer.UserID) error {
	_, err := s.change(ctx, id, func(i *Identity) error {
		if lives(*i) {
			*i = Identity{UserID: id, CreatedAt: i.CreatedAt, DeletedAt: s.now(), Revision: i.Revision}
		}
		return nil
	})
	return err
}

// caller returns the identity of whoever makes a request.
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
