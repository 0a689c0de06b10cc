package identity

import (
	"context"

	"stoa/internal/auth/provider"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// Undo takes back what a call has done to an identity, as far as nothing has changed it
// since.
type Undo func(ctx context.Context) error

// Enter turns an anonymous identity into that of a user, who may come with a login at a
// provider: then the login is linked, and its e-mail counts as verified. Undo is for when
// the user does not come about.
func (s *Issuer) Enter(ctx context.Context, id viewer.UserID, login *provider.Login) (Undo, error) {
	before, after, err := s.decide(ctx, id, func(i *Identity) error {
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
		if err := s.adoptEmail(ctx, i, login.Email); err != nil {
			return err
		}
		return s.link(ctx, i, login)
	})
	return s.undo(before, after), err
}

// Link lets somebody at a provider sign in as an identity. Where that has no e-mail yet,
// the login's becomes its own; adopted reports so.
func (s *Issuer) Link(ctx context.Context, id viewer.UserID, login provider.Login) (adopted bool, undo Undo, err error) {
	before, after, err := s.decide(ctx, id, func(i *Identity) error {
		if !lives(*i) {
			return linkFailed("the identity is deleted")
		}
		if err := s.link(ctx, i, &login); err != nil || i.Email != "" {
			return err
		}
		return s.adoptEmail(ctx, i, login.Email)
	})
	return before.Email != after.Email, s.undo(before, after), err
}

// decide is change, with what was stored before.
func (s *Issuer) decide(ctx context.Context, id viewer.UserID, decide func(i *Identity) error) (before, after Identity, err error) {
	after, err = s.change(ctx, id, func(i *Identity) error {
		before = *i
		return decide(i)
	})
	return before, after, err
}

// undo takes a change back.
func (s *Issuer) undo(before, after Identity) Undo {
	return func(ctx context.Context) error {
		_, err := s.change(ctx, after.UserID, func(i *Identity) error {
			if *i == after {
				revision := i.Revision
				*i = before
				i.CreatedAt, i.Revision = after.CreatedAt, revision
			}
			return nil
		})
		return err
	}
}

// link makes a login that of an identity, unless it is somebody else's.
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

// adoptEmail makes an e-mail the verified one, unless it is somebody else's.
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
