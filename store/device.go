package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/social"
)

// A user has at most one device per push platform. The token is read only for sending.
var devices = keyspec.Define[deviceItem](ops.Table, keyspec.Row{
	Key: keyspec.K("device/{userId}", "apns"),
})

type deviceItem struct {
	UserID social.UserID `dynamo:"userId,keyonly"`
	Token  string        `dynamo:"token"`
}

// Devices stores the devices that users receive push notifications on.
type Devices struct{ db *keyspec.DB }

// APNSToken returns the APNs token of a user's device, or "" if there is none.
func (s *Devices) APNSToken(ctx context.Context, user social.UserID) (string, error) {
	item, err := devices.Get(ctx, s.db, devices.Key(string(user)))
	if item == nil || err != nil {
		return "", err
	}
	return item.Token, nil
}

// SetAPNSToken replaces the APNs token of a user's device; "" removes it. It fails with
// Conflict if the user now has another profile or is no longer active, since the device was
// removed then.
func (s *Devices) SetAPNSToken(ctx context.Context, u *social.User, token string) error {
	tx := s.db.NewTx()
	if token == "" {
		devices.Delete(tx, devices.Key(string(u.UserID)))
	} else {
		devices.Put(tx, deviceItem{UserID: u.UserID, Token: token})
	}
	profiles.Check(tx, profileKey(u.UserID)).If(sameProfile, u.SignedUpAt).
		If("attribute_not_exists(userStatus) OR userStatus = ?", social.UserActive)
	return stored.Outcome(tx.Run(ctx))
}

// ForgetAPNSToken removes a token that has become invalid, unless the user has registered
// another one.
func (s *Devices) ForgetAPNSToken(ctx context.Context, user social.UserID, token string) error {
	tx := s.db.NewTx()
	devices.Delete(tx, devices.Key(string(user))).If("attribute_not_exists(token) OR token = ?", token)
	return refusal.IgnoreConflict(stored.Outcome(tx.Run(ctx)))
}
