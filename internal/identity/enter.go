package identity

import (
	"context"

	"stoa/internal/auth/provider"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// EnterAnonymously turns an anonymous identity into a user's and starts a session.
func (s *Issuer) EnterAnonymously(ctx context.Context, id viewer.UserID, save Save) (Tokens, error) {
	var token string
	after, err := s.enter(ctx, id, nil, func(ctx context.Context, c Change) (err error) {
		c.Family = &TokenFamily{FamilyID: s.NewID(), UserID: id, TokenVersion: c.After.TokenVersion}
		if token, err = s.families().renew(ctx, c.Family); err != nil {
			return err
		}
		return save(ctx, c)
	})
	if err != nil {
		return Tokens{}, err
	}
	return s.mint(ctx, after, token)
}

// EnterWithLogin turns an anonymous identity into that of a user with a third-party login:
// it links the login and takes its e-mail address as verified.
func (s *Issuer) EnterWithLogin(ctx context.Context, id viewer.UserID, login provider.Login, save Save) error {
	_, err := s.enter(ctx, id, &login, save)
	return err
}

func (s *Issuer) enter(ctx context.Context, id viewer.UserID, login *provider.Login, save Save) (Identity, error) {
	return s.changeWith(ctx, id, save, func(i *Identity) error {
		if login != nil {
			if err := s.adoptEmail(ctx, i, login.Email); err != nil {
				return err
			}
		}
		switch {
		case i.Revision > 0 && !lives(*i):
			return linkFailed("the identity is deleted")
		case entered(*i):
			return refusal.Invalidf("An account for userId `%s` already exists", string(id))
		case i.Revision == 0:
			i.CreatedAt = s.now()
		}
		i.Entered = true
		if login == nil {
			return nil
		}
		return s.link(ctx, i, login)
	})
}

// Link links a third-party login to an identity. If the identity has no e-mail address, it
// gets that of the login.
func (s *Issuer) Link(ctx context.Context, id viewer.UserID, login provider.Login, save Save) error {
	_, err := s.changeWith(ctx, id, save, func(i *Identity) error {
		if !lives(*i) {
			return linkFailed("the identity is deleted")
		}
		if err := s.link(ctx, i, &login); err != nil || i.Email != "" {
			return err
		}
		return s.adoptEmail(ctx, i, login.Email)
	})
	return err
}

// link links a login to an identity, unless it is linked to another one.
func (s *Issuer) link(ctx context.Context, i *Identity, login *provider.Login) error {
	holder, found, err := s.Store.LoginHolder(ctx, login.Provider, login.Subject)
	switch {
	case err != nil:
		return err
	case found && holder != i.UserID:
		return linkFailed("the login is linked to another identity")
	}
	switch login.Provider {
	case Apple:
		i.Apple = login.Subject
	case Google:
		i.Google = login.Subject
	case Facebook:
		i.Facebook = login.Subject
	}
	return nil
}

// adoptEmail sets the verified e-mail address, unless another identity has it.
func (s *Issuer) adoptEmail(ctx context.Context, i *Identity, email string) error {
	err := s.verify(ctx, i, contactVia(i, ViaEmail), email)
	if refusal.KindOf(err) == refusal.Conflict {
		return refusal.Invalidf("Email `%s` already taken", email)
	}
	return err
}

func linkFailed(cause string) error {
	return refusal.Invalidf("Failed to link identity pool entries: %s", cause)
}
