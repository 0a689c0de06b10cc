package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/systems/messaging"
)

// What the design does not have of an account is stored in the outbox table.

// The lowest version of a user's valid tokens. Without a row, no tokens were revoked.
var versions = keyspec.Define[versionItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/tokens/{userId}", "-")})

type versionItem struct {
	UserID  messaging.UserID `dynamo:"userId,keyonly"`
	Version int              `dynamo:"version"`
}

// The owner of a device, which is at most one user.
var deviceOwners = keyspec.Define[deviceOwnerItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/device/{device}", "-")})

type deviceOwnerItem struct {
	Device string           `dynamo:"device,keyonly"`
	UserID messaging.UserID `dynamo:"userId"`
}
