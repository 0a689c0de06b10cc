package identity

import (
	"context"
	"time"

	"stoa/internal/kit/viewer"
)

// asideTime is the timeout of work that no response waits for, but the end of the program.
const asideTime = 10 * time.Second

// forgot sends a code to the owner of a verified contact. Neither the response nor, outside
// dev, its timing reveals whether there is one: the response does not wait for any work
// that depends on it.
func (s *Issuer) forgot(ctx context.Context, n name, address string) error {
	if err := s.takeSend(n.kind+" "+n.value, address); err != nil {
		return err
	}
	if err := s.takeMessage(n.value, address); err != nil {
		return err
	}
	if s.Mode == Dev {
		return s.sendReset(ctx, n, address)
	}
	s.aside.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), asideTime)
		defer cancel()
		if err := s.sendReset(ctx, n, address); err != nil {
			s.Log.ErrorContext(ctx, "code for a forgotten password not sent", "error", err)
		}
	})
	return nil
}

// sendReset sends the code. If others have caused too many messages to the contact, it only
// does so for an address that its owner has used before.
func (s *Issuer) sendReset(ctx context.Context, n name, address string) error {
	owner, err := s.resolve(ctx, n)
	if err != nil || owner.UserID == "" {
		return err
	}
	if s.takeRecipient(n.value) != nil && !s.attempts.trusts(string(owner.UserID), address) {
		return nil
	}
	channel := ViaEmail
	if n.kind == byPhone {
		channel = ViaSMS
	}
	return s.changeAndSend(ctx, owner.UserID, func(i *Identity) ([]Message, error) {
		if !lives(*i) {
			return nil, nil // deleted meanwhile
		}
		digits, err := s.codes.renew(ctx, &i.Reset, toReset, i.UserID, "")
		if err != nil {
			return nil, err
		}
		return []Message{s.resetMessage(i.UserID, channel, n.value, digits, i.Reset.ExpiresAt)}, nil
	})
}

// reset sets a new password with a reset code and signs the identity out everywhere, since
// others may know the old password. A code may come with the contact that it was sent to,
// because a person who types it on a new device does not know their user id. A contact
// without an account is refused like a wrong code.
func (s *Issuer) reset(ctx context.Context, n name, digits, password, address string) (viewer.UserID, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	id := viewer.UserID(n.value)
	if n.kind != byUserID {
		owner, err := s.resolve(ctx, n)
		if err != nil {
			return "", err
		}
		id = owner.UserID
	}
	account := string(id)
	if id == "" {
		account = n.kind + " " + n.value
	}
	if err := s.takeTry(account, address); err != nil {
		return "", err
	}
	if id == "" {
		return "", errCode
	}
	_, err := s.change(ctx, id, func(i *Identity) error {
		if !try(&i.Reset, digits, s.now()) {
			return errCode
		}
		hash, err := s.passwords.hash(ctx, password)
		if err != nil {
			return err
		}
		i.PasswordHash, i.Reset, i.Seeded = hash, Code{}, false
		i.TokenVersion++
		return nil
	})
	if err == nil {
		s.attempts.trust(string(id), address)
	}
	return id, err
}
