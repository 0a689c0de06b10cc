package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A follow is stored under the followed user. Both lists are sorted by status, then time.
// Its sort key has the same prefix as that of a first story, so followers are listed from
// A2.
var follows = keyspec.Define[social.Follow](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("user/{followedUserId}", "follower/{followerUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("follower/{followerUserId}", "{followStatus}/{followedAt}"),
		A2: keyspec.K("followed/{followedUserId}", "{followStatus}/{followedAt}"),
	},
	Overlaps: []string{"follower/{followerUserId}/firstStory"},
})
