package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A block is stored under the blocked user.
var blocks = keyspec.Define[blockItem](Main, keyspec.Row{
	Key: keyspec.K("user/{blockedUserId}", "blocker/{blockerUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("block/{blockerUserId}", "{blockedAt}"),
		A2: keyspec.K("block/{blockedUserId}", "{blockedAt}"),
	},
})

type blockItem struct {
	BlockerUserID social.UserID `dynamo:"blockerUserId"`
	BlockedUserID social.UserID `dynamo:"blockedUserId"`
	BlockedAt     time.Time     `dynamo:"blockedAt"`
}
