package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// The trend of a post or of a user, which are listed by score.

var postTrending = keyspec.Define[postTrendingItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "trending"),
	On:  keyspec.Indexes{A4: keyspec.K("post/trending", "{score}")},
})

type postTrendingItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	social.Trend
}

var userTrending = keyspec.Define[userTrendingItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "trending"),
	On:  keyspec.Indexes{A4: keyspec.K("user/trending", "{score}")},
})

type userTrendingItem struct {
	UserID social.UserID `dynamo:"userId,keyonly"`
	social.Trend
}

func postTrendKey(id social.PostID) keyspec.Key { return postTrending.Key(string(id)) }
func userTrendKey(id social.UserID) keyspec.Key { return userTrending.Key(string(id)) }
