package user

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// The API's names of the contact of each channel.
var (
	contactNames = map[social.Channel]string{social.ViaEmail: "email", social.ViaSMS: "phone"}
	contactKinds = map[social.Channel]string{social.ViaEmail: "email", social.ViaSMS: "phoneNumber"}
)

// StartContactChange sends a code to a contact that is to replace the caller's. The present
// one remains until FinishContactChange, and is what the caller is shown.
func (s *Service) StartContactChange(ctx context.Context, c social.Caller, via social.Channel, value string) (*social.SeenUser, error) {
	issuer, err := s.issuer()
	if err != nil {
		return nil, err
	}
	if via.Of(c.User) == value {
		return nil, refusal.Invalidf("User %s already set to `%s`", contactNames[via], value)
	}
	holder, held, err := issuer.ContactHolder(ctx, string(via), value)
	switch {
	case err != nil:
		return nil, err
	case held && holder != c.UserID:
		return nil, refusal.Invalidf("User %s is already used by other", contactKinds[via])
	}
	if err := s.checkBans(ctx, c, via, value); err != nil {
		return nil, err
	}
	if err := issuer.StartChange(ctx, c.UserID, string(via), value); err != nil {
		return nil, err
	}
	return c.See(), nil
}

// FinishContactChange sets the contact that the code was sent to as the caller's verified
// one. An anonymous caller becomes active.
func (s *Service) FinishContactChange(ctx context.Context, c social.Caller, via social.Channel, code string) (*social.SeenUser, error) {
	issuer, err := s.issuer()
	if err != nil {
		return nil, err
	}
	var seen *social.SeenUser
	err = issuer.FinishChange(ctx, c.UserID, string(via), code, func(ctx context.Context, account identity.Change) (err error) {
		value := account.After.Email
		if via == social.ViaSMS {
			value = account.After.Phone
		}
		seen, err = s.changeAccount(ctx, c, account, func(u *social.User) *social.User { return u.Verified(via, value) })
		return err
	})
	return seen, err
}

// SetPassword sets the caller's password to the decryption of encrypted; see
// identity.SetPassword.
func (s *Service) SetPassword(ctx context.Context, c social.Caller, encrypted string) (*social.SeenUser, error) {
	issuer, err := s.issuer()
	if err != nil {
		return nil, err
	}
	if err := issuer.SetPassword(ctx, c.UserID, encrypted); err != nil {
		return nil, err
	}
	return c.See(), nil
}

// checkBans refuses a caller who uses a banned device or requests a banned contact, and
// disables them.
func (s *Service) checkBans(ctx context.Context, c social.Caller, via social.Channel, value string) error {
	email, phone := value, ""
	if via == social.ViaSMS {
		email, phone = "", value
	}
	banned, err := s.Store.Banned(ctx, c.User.LastClient["uid"], email, phone)
	if err != nil || banned == (social.Banned{}) {
		return err
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		from, err := s.profile(ctx, c.UserID)
		if err != nil {
			return err
		}
		now := s.Now()
		ban, refused := banned.Refuse(from, via, value, now)
		if to := from.Disabled(now); to != from {
			if err := s.disable(ctx, a, from, to, ban); err != nil {
				return err
			}
		}
		return refused
	})
}
