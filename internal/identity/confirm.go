package identity

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// A contact is the e-mail address or phone number of an identity. Its fields point into
// that identity.
type contact struct {
	channel  string
	verified *string
	pending  *PendingContact
}

// contactVia returns the contact of an identity that a channel reaches.
func contactVia(i *Identity, channel string) contact {
	contacts := contactsOf(i)
	return contacts[slices.IndexFunc(contacts, func(c contact) bool { return c.channel == channel })]
}

func contactsOf(i *Identity) []contact {
	return []contact{
		{ViaEmail, &i.Email, &i.PendingEmail},
		{ViaSMS, &i.Phone, &i.PendingPhone},
	}
}

// holder returns the id of the identity with a verified contact.
func (s *Issuer) holder(ctx context.Context, channel, value string) (viewer.UserID, bool, error) {
	if channel == ViaEmail {
		return s.Store.EmailHolder(ctx, value)
	}
	return s.Store.PhoneHolder(ctx, value)
}

// verify makes value the contact of an identity, unless another identity has it.
func (s *Issuer) verify(ctx context.Context, i *Identity, c contact, value string) error {
	holder, found, err := s.holder(ctx, c.channel, value)
	switch {
	case err != nil:
		return err
	case found && holder != i.UserID && c.channel == ViaEmail:
		return refusal.Conflictf("Email `%s` already taken", value)
	case found && holder != i.UserID:
		return refusal.Conflictf("Phone `%s` already taken", value)
	}
	*c.verified = value
	return nil
}

// invite generates codes for the pending contacts of an identity that have a value, and
// returns the messages with the codes. In dev, contacts are verified at sign-up; the codes
// work nevertheless, so that apps need no changes.
func (s *Issuer) invite(ctx context.Context, i *Identity) ([]Message, error) {
	var messages []Message
	for _, c := range contactsOf(i) {
		if c.pending.Value == "" {
			continue
		}
		if s.Mode == Dev && !c.pending.Changing {
			if err := s.verify(ctx, i, c, c.pending.Value); err != nil {
				return nil, err
			}
		}
		m, err := s.await(i, c)
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// await generates a new code for a pending contact and returns the message with it.
func (s *Issuer) await(i *Identity, c contact) (Message, error) {
	code, digits, err := newCode(s.Random, s.now())
	if err != nil {
		return Message{}, err
	}
	c.pending.Code = code
	return s.confirmation(i.UserID, c.channel, c.pending.Value, digits), nil
}

// confirm verifies the contact that a code was sent to.
func (s *Issuer) confirm(ctx context.Context, id viewer.UserID, digits, address string) error {
	if err := s.takeTry(id, address); err != nil {
		return err
	}
	_, err := s.change(ctx, id, func(i *Identity) error {
		contacts, now := contactsOf(i), s.now()
		for _, c := range contacts {
			if c.pending.Changing || !matches(c.pending.Code, digits, now) {
				continue
			}
			if err := s.verify(ctx, i, c, c.pending.Value); err != nil {
				return err
			}
			*c.pending = PendingContact{}
			return nil
		}
		for _, c := range contacts {
			if !c.pending.Changing {
				try(&c.pending.Code, digits, now) // uses up an attempt of each pending code
			}
		}
		return errCode
	})
	return err
}

// matches checks a copy of a code, which uses up no attempt.
func matches(c Code, digits string, now time.Time) bool { return try(&c, digits, now) }

// resend replaces the pending codes of an identity. The result does not reveal whether
// there were any, or whether a contact has exceeded its message limit.
func (s *Issuer) resend(ctx context.Context, id viewer.UserID, address string) error {
	if err := s.takeSend(string(id), address); err != nil {
		return err
	}
	var sent []Message
	_, err := s.change(ctx, id, func(i *Identity) error {
		var err error
		sent, err = s.invite(ctx, i)
		return err
	})
	if err != nil {
		return err
	}
	s.send(ctx, slices.DeleteFunc(sent, func(m Message) bool { return s.takeMessage(m.To) != nil }))
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
