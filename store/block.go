package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A block is stored under the blocked user.
var blocks = keyspec.Define[social.Block](Main, keyspec.Row{
	Key: keyspec.K("user/{blockedUserId}", "blocker/{blockerUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("block/{blockerUserId}", "{blockedAt}"),
		A2: keyspec.K("block/{blockedUserId}", "{blockedAt}"),
	},
})
