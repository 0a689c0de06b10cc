package app

import (
	"context"
	"errors"
	"slices"

	"stoa/internal/push"
	"stoa/social"
	"stoa/store"
)

// pusher pushes cards to users' devices.
type pusher struct {
	sender  push.Sender
	devices *store.Devices
	// to lists the usernames of the users who receive pushes; nil means all users.
	to []string
}

// Push pushes a card to the user's device, if they have one. A token that the push service
// no longer accepts is deleted.
func (p pusher) Push(ctx context.Context, user *social.User, c *social.Card) error {
	if p.to != nil && !slices.Contains(p.to, user.Username) {
		return nil
	}
	token, err := p.devices.APNSToken(ctx, user.UserID)
	if token == "" || err != nil {
		return err
	}
	err = p.sender.Send(
		ctx,
		push.Device{Platform: push.APNS, Token: token},
		push.Message{Title: c.ShownTitle(), Body: c.SubTitle, Action: c.Action, Collapse: string(c.CardID)},
	)
	if errors.Is(err, push.ErrGone) {
		return p.devices.ForgetAPNSToken(ctx, user.UserID, token)
	}
	return err
}
