package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A follow is stored under the followed user. Both lists are sorted by status, then time.
// Its sort key has the same prefix as that of a first story, so followers are listed from
// A2.
var follows = keyspec.Define[followItem](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("user/{followedUserId}", "follower/{followerUserId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("follower/{followerUserId}", "{followStatus}/{followedAt}"),
		A2: keyspec.K("followed/{followedUserId}", "{followStatus}/{followedAt}"),
	},
	Overlaps: []string{"follower/{followerUserId}/firstStory"},
})

type followItem struct {
	FollowedAt     time.Time           `dynamo:"followedAt"`
	FollowStatus   social.FollowStatus `dynamo:"followStatus"`
	FollowerUserID social.UserID       `dynamo:"followerUserId"`
	FollowedUserID social.UserID       `dynamo:"followedUserId"`
}

// The story of a followed user that expires first, for each follower.
var firstStories = keyspec.Define[firstStoryItem](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("user/{followedUserId}", "follower/{followerUserId}/firstStory"),
	On: keyspec.Indexes{
		A2: keyspec.K("follower/{followerUserId}/firstStory", "{expiresAt}"),
	},
	Overlaps: []string{"follower/{followerUserId}"},
})

type firstStoryItem struct {
	FollowedUserID social.UserID `dynamo:"followedUserId,keyonly"`
	FollowerUserID social.UserID `dynamo:"followerUserId,keyonly"`
	PostID         social.PostID `dynamo:"postId"`
	ExpiresAt      time.Time     `dynamo:"expiresAt,keyonly"`
}
