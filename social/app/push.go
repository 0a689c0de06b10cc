package app

import (
	"context"
	"errors"
	"slices"

	"stoa/internal/push"
	"stoa/social"
	"stoa/store"
)

// pusher shows cards on the devices of users.
type pusher struct {
	sender  push.Sender
	devices *store.Devices
	// to are the usernames of those who are pushed to anything; nil is everybody.
	to []string
}

// Push shows a card on the user's device, if they have one. A token that reaches nobody any
// more is forgotten.
func (p pusher) Push(ctx context.Context, user *social.User, c *social.Card) error {
	if p.to != nil && !slices.Contains(p.to, user.Username) {
		return nil
	}
	token, err := p.devices.APNSToken(ctx, user.UserID)
	if token == "" || err != nil {
		return err
	}
	err = p.sender.Send(ctx, push.Device{Platform: push.APNS, Token: token}, push.Message{Title: c.Title, Body: c.SubTitle, Action: c.Action, Collapse: string(c.CardID)})
	if errors.Is(err, push.ErrGone) {
		return p.devices.ForgetAPNSToken(ctx, user.UserID, token)
	}
	return err
}
