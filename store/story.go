package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// The story of a followed user that expires first, for each follower.
var firstStories = keyspec.Define[social.FirstStory](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("user/{followedUserId}", "follower/{followerUserId}/firstStory"),
	On: keyspec.Indexes{
		A2: keyspec.K("follower/{followerUserId}/firstStory", "{expiresAt}"),
	},
	Overlaps: []string{"follower/{followerUserId}"},
})

func firstStoryKey(follower, followed social.UserID) keyspec.Key {
	return firstStories.Key(string(followed), string(follower))
}
