package identity

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// StartChange sends a code to the contact that is to replace the current one of a channel.
// The current contact remains until FinishChange. Starting again replaces a pending change.
func (s *Issuer) StartChange(ctx context.Context, id viewer.UserID, channel, value string) error {
	if err := s.checkReach(channel, value); err != nil {
		return err
	}
	if len(value) > maxEmail {
		return refusal.Invalidf("An address may have %d bytes", maxEmail)
	}
	if err := s.take("code asked by "+string(id), s.attempts.limits.Load().SendAccount); err != nil {
		return err
	}
	if err := s.takeMessage(value, string(id)); err != nil {
		return err
	}
	if err := s.takeRecipient(value); err != nil {
		return err
	}
	return s.changeAndSend(ctx, id, func(i *Identity) ([]Message, error) {
		if !lives(*i) {
			return nil, refusal.NotFoundf("No account for `%s`", string(id))
		}
		c := contactVia(i, channel)
		*c.pending = PendingContact{Value: value, Changing: true}
		m, err := s.await(ctx, i, c)
		return []Message{m}, err
	})
}

// FinishChange makes the contact that the code was sent to the verified one.
func (s *Issuer) FinishChange(ctx context.Context, id viewer.UserID, channel, code string, save Save) error {
	if err := s.take("code tried by "+string(id), s.attempts.limits.Load().TryAccount); err != nil {
		return err
	}
	_, err := s.changeWith(ctx, id, save, func(i *Identity) error {
		c := contactVia(i, channel)
		if !lives(*i) || !c.pending.Changing {
			return refusal.Invalidf("No unverified email found to validate for user `%s`", string(id))
		}
		if !try(&c.pending.Code, code, s.now()) {
			return errCode
		}
		err := s.verify(ctx, i, c, c.pending.Value)
		if refusal.KindOf(err) == refusal.Conflict {
			return refusal.Invalidf("User %s is already used by other", map[string]string{ViaEmail: "email", ViaSMS: "phoneNumber"}[channel])
		}
		*c.pending = PendingContact{}
		return err
	})
	return err
}

// ContactHolder returns the id of the identity with a verified contact, whoever it is.
func (s *Issuer) ContactHolder(ctx context.Context, channel, value string) (id viewer.UserID, found bool, err error) {
	return s.holder(ctx, channel, value)
}
