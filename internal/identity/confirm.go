package identity

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// A contact is one of the two ways to reach the owner of an identity. It points
// into the identity that it was taken from.
type contact struct {
	channel  string
	verified *string
	pending  *PendingContact
}

func contactsOf(i *Identity) []contact {
	return []contact{
		{viaEmail, &i.Email, &i.PendingEmail},
		{viaSMS, &i.Phone, &i.PendingPhone},
	}
}

// holder names the identity with that verified contact.
func (s *Issuer) holder(ctx context.Context, channel, value string) (viewer.UserID, bool, error) {
	if channel == viaEmail {
		return s.Store.EmailHolder(ctx, value)
	}
	return s.Store.PhoneHolder(ctx, value)
}

// verify makes value the contact of an identity, unless it is somebody else's.
func (s *Issuer) verify(ctx context.Context, i *Identity, c contact, value string) error {
	holder, found, err := s.holder(ctx, c.channel, value)
	switch {
	case err != nil:
		return err
	case found && holder != i.UserID && c.channel == viaEmail:
		return refusal.Conflictf("Email `%s` already taken", value)
	case found && holder != i.UserID:
		return refusal.Conflictf("Phone `%s` already taken", value)
	}
	*c.verified = value
	return nil
}

// invite makes an identity wait for codes to the contacts given, and returns the
// messages with these codes. In dev the contacts count at once; the codes work all
// the same, so that apps can be tried as they are.
func (s *Issuer) invite(ctx context.Context, i *Identity, email, phone string) ([]Message, error) {
	var messages []Message
	values := map[string]string{viaEmail: email, viaSMS: phone}
	for _, c := range contactsOf(i) {
		value := values[c.channel]
		if value == "" {
			continue
		}
		if s.Mode == Dev {
			if err := s.verify(ctx, i, c, value); err != nil {
				return nil, err
			}
		}
		code, digits, err := newCode(s.Random, s.now())
		if err != nil {
			return nil, err
		}
		*c.pending = PendingContact{Value: value, Code: code}
		messages = append(messages, s.confirmation(i.UserID, c.channel, value, digits))
	}
	return messages, nil
}

// confirm verifies the contact that a code was sent to.
func (s *Issuer) confirm(ctx context.Context, id viewer.UserID, digits, address string) error {
	if err := s.takeTry(id, address); err != nil {
		return err
	}
	_, err := s.change(ctx, id, func(i *Identity) error {
		contacts, now := contactsOf(i), s.now()
		for _, c := range contacts {
			if !matches(c.pending.Code, digits, now) {
				continue
			}
			if err := s.verify(ctx, i, c, c.pending.Value); err != nil {
				return err
			}
			*c.pending = PendingContact{}
			return nil
		}
		for _, c := range contacts {
			try(&c.pending.Code, digits, now) // costs a try wherever a code is awaited
		}
		return errCode
	})
	return err
}

// matches looks at a copy of a code, which costs no try.
func matches(c Code, digits string, now time.Time) bool { return try(&c, digits, now) }

// resend replaces the codes that an identity waits for. Nobody learns whether there
// was anything to replace.
func (s *Issuer) resend(ctx context.Context, id viewer.UserID, address string) error {
	if err := s.takeSend(string(id), address); err != nil {
		return err
	}
	var sent []Message
	_, err := s.change(ctx, id, func(i *Identity) error {
		var err error
		sent, err = s.invite(ctx, i, i.PendingEmail.Value, i.PendingPhone.Value)
		return err
	})
	if err != nil {
		return err
	}
	s.send(ctx, sent)
	return nil
}

func (s *Issuer) takeTry(id viewer.UserID, address string) error {
	if err := s.take("code tried from "+address, s.Limits.TryAddress); err != nil {
		return err
	}
	return s.take("code tried for "+string(id), s.Limits.TryAccount)
}

func (s *Issuer) takeSend(account, address string) error {
	if err := s.take("code asked from "+address, s.Limits.SendAddress); err != nil {
		return err
	}
	return s.take("code asked for "+account, s.Limits.SendAccount)
}
