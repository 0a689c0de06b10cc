package identity

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// StartChange sends a code to a contact that is to take the place of the one that a
// channel reaches. That one stays what it is until FinishChange; starting again replaces
// what was started before.
func (s *Issuer) StartChange(ctx context.Context, id viewer.UserID, channel, value string) error {
	if err := s.checkReach(channel, value); err != nil {
		return err
	}
	if len(value) > maxEmail {
		return refusal.Invalidf("An address may have %d bytes", maxEmail)
	}
	if err := s.take("code asked for "+string(id), s.Limits.SendAccount); err != nil {
		return err
	}
	if err := s.takeMessage(value); err != nil {
		return err
	}
	var m Message
	_, err := s.change(ctx, id, func(i *Identity) error {
		if !lives(*i) {
			return refusal.NotFoundf("No account for `%s`", string(id))
		}
		c := contactVia(i, channel)
		*c.pending = PendingContact{Value: value, Changing: true}
		var err error
		m, err = s.await(i, c)
		return err
	})
	if err != nil {
		return err
	}
	s.send(ctx, []Message{m})
	return nil
}

// FinishChange makes the contact that a code was sent to the verified one, and calls
// apply to store it wherever else it stands. When apply fails, the contact stays what it
// was. What was cut off between the two can be repeated with the same code.
func (s *Issuer) FinishChange(ctx context.Context, id viewer.UserID, channel, code string, apply func(ctx context.Context, value string) error) error {
	if err := s.take("code tried for "+string(id), s.Limits.TryAccount); err != nil {
		return err
	}
	var before, value string
	_, err := s.change(ctx, id, func(i *Identity) error {
		c := contactVia(i, channel)
		if !lives(*i) || !c.pending.Changing {
			return refusal.Invalidf("No unverified email found to validate for user `%s`", string(id))
		}
		if !try(&c.pending.Code, code, s.now()) {
			return errCode
		}
		before, value = *c.verified, c.pending.Value
		err := s.verify(ctx, i, c, value)
		if refusal.KindOf(err) == refusal.Conflict {
			return refusal.Invalidf("User %s is already used by other", map[string]string{ViaEmail: "email", ViaSMS: "phoneNumber"}[channel])
		}
		return err
	})
	if err != nil {
		return err
	}
	applied := apply(ctx, value)
	_, err = s.change(context.WithoutCancel(ctx), id, func(i *Identity) error {
		switch c := contactVia(i, channel); {
		case c.pending.Value != value || !c.pending.Changing:
		case applied == nil:
			*c.pending = PendingContact{}
		case *c.verified == value:
			*c.verified = before
		}
		return nil
	})
	if applied != nil {
		return applied
	}
	return err
}
