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
// work nevertheless, so that apps need no changes. Contacts to which may is false get no
// message, and keep the code they have.
func (s *Issuer) invite(ctx context.Context, i *Identity, may func(to string) bool) ([]Message, error) {
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
		if !may(c.pending.Value) {
			continue
		}
		m, err := s.await(ctx, i, c)
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// await returns the message with the code of a pending contact.
func (s *Issuer) await(ctx context.Context, i *Identity, c contact) (Message, error) {
	digits, err := s.codes.renew(ctx, &c.pending.Code, toConfirm, i.UserID, c.pending.Value)
	if err != nil {
		return Message{}, err
	}
	return s.confirmation(i.UserID, c.channel, c.pending.Value, digits, c.pending.Code.ExpiresAt), nil
}

// confirm verifies the contact that a code was sent to.
func (s *Issuer) confirm(ctx context.Context, id viewer.UserID, digits, address string) error {
	if err := s.takeTry(string(id), address); err != nil {
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
	if err == nil {
		s.attempts.trust(string(id), address)
	}
	return err
}

// matches checks a copy of a code, which uses up no attempt.
func matches(c Code, digits string, now time.Time) bool { return try(&c, digits, now) }

// resend sends the pending codes of an identity again. The result does not reveal whether
// there were any, or whether a contact has exceeded its message limit.
func (s *Issuer) resend(ctx context.Context, id viewer.UserID, address string) error {
	if err := s.takeSend(string(id), address); err != nil {
		return err
	}
	may := once(func(to string) bool { return s.takeMessage(to, address) == nil && s.takeRecipient(to) == nil })
	return s.changeAndSend(ctx, id, func(i *Identity) ([]Message, error) { return s.invite(ctx, i, may) })
}

// once returns a function that calls f once for each contact, since a change may be decided
// several times.
func once(f func(to string) bool) func(to string) bool {
	known := map[string]bool{}
	return func(to string) bool {
		may, ok := known[to]
		if !ok {
			may = f(to)
			known[to] = may
		}
		return may
	}
}

// takeTry counts a code that an address tries. An address has few tries for an account,
// because each five wrong ones end a code, and its owner has to request another.
func (s *Issuer) takeTry(account, address string) error {
	if err := s.take("code tried from "+address, s.attempts.limits.Load().TryAddress); err != nil {
		return err
	}
	return s.take("code tried for "+account+" from "+address, s.attempts.limits.Load().TryAccount)
}

func (s *Issuer) takeSend(account, address string) error {
	if err := s.take("code asked from "+address, s.attempts.limits.Load().SendAddress); err != nil {
		return err
	}
	return s.take("code asked for "+account+" from "+address, s.attempts.limits.Load().SendAccount)
}
