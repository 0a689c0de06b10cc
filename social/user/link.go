package user

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// LinkLogin links a provider's login to the caller's account. Its e-mail address becomes
// theirs if they have none. An anonymous caller becomes active.
func (s *Service) LinkLogin(ctx context.Context, c social.Caller, p social.LoginProvider, token string) (*social.SeenUser, error) {
	login, issuer, err := s.login(ctx, p, token)
	if err != nil {
		return nil, err
	}
	holder, held, err := issuer.ContactHolder(ctx, string(social.ViaEmail), login.Email)
	switch {
	case err != nil:
		return nil, err
	case held && holder != c.UserID:
		return nil, refusal.Invalidf("User federated login email is already used by other")
	}
	if err := s.checkBans(ctx, c, social.ViaEmail, login.Email); err != nil {
		return nil, err
	}
	var seen *social.SeenUser
	err = issuer.Link(ctx, c.UserID, login, func(ctx context.Context, account identity.Change) (err error) {
		seen, err = s.changeAccount(ctx, c, account, func(u *social.User) *social.User { return u.Linked(account.After.Email) })
		return err
	})
	return seen, err
}

// changeAccount makes one attempt to change the caller's profile together with their account.
// The caller must still have the status with which they were admitted.
func (s *Service) changeAccount(
	ctx context.Context, c social.Caller, account identity.Change, become func(*social.User) *social.User,
) (*social.SeenUser, error) {
	from, err := s.profile(ctx, c.UserID)
	if err != nil {
		return nil, err
	}
	if allowed := []social.UserStatus{social.UserActive, social.UserAnonymous}; !from.HasStatus(allowed) {
		return nil, unfit(c.UserID, allowed)
	}
	to := become(from)
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		return own(c.Viewer, to), s.Store.ChangeAccount(ctx, from, to, account, a.Emit(statusChanged(from, to)...)...)
	})
}
