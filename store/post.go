package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A post. It is listed for its owner: stories by expiry (A1), posts by time (A2), posts
// with unviewed comments (A3).
var posts = keyspec.Define[social.Post](Main, keyspec.Row{
	Version: 3,
	Key:     keyspec.K("post/{postId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("post/{postedByUserId}", "{postStatus}/{expiresAt}"),
		A2: keyspec.K("post/{postedByUserId}", "{postStatus}/{postedAt}"),
		A3: keyspec.K("post/{postedByUserId}", "{lastUnreadCommentAt}"),
		K1: keyspec.K("post/{expiresAtDate}", "{expiresAtTime}"),
		K2: keyspec.K("postChecksum/{checksum}", "{postedAt}"),
		K3: keyspec.K("post/{albumId}", "{albumRank}"),
	},
	Computed: keyspec.Computed{
		"expiresAtDate": keyspec.DateOf("expiresAt"),
		"expiresAtTime": keyspec.TimeOf("expiresAt"),
	},
})

// Feeds were once stored in the main table.
var legacyFeed = keyspec.Define[legacyFeedItem](Main, keyspec.Row{
	Version: 3,
	Key:     keyspec.K("post/{postId}", "feed/{userId}"),
	On: keyspec.Indexes{
		A1: keyspec.K("feed/{userId}", "{postedAt}"),
		A2: keyspec.K("feed/{userId}", "{postedByUserId}"),
	},
	Legacy: true,
})

type legacyFeedItem struct {
	PostID         social.PostID `dynamo:"postId,keyonly"`
	UserID         social.UserID `dynamo:"userId,keyonly"`
	PostedAt       time.Time     `dynamo:"postedAt,keyonly"`
	PostedByUserID social.UserID `dynamo:"postedByUserId,keyonly"`
}

var postTrending = keyspec.Define[postTrendingItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "trending"),
	On:  keyspec.Indexes{A4: keyspec.K("post/trending", "{score}")},
})

type postTrendingItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	social.Trend
}

func postKey(id social.PostID) keyspec.Key { return posts.Key(string(id)) }

// storedPost returns a post as it is stored.
func storedPost(p *social.Post) *social.Post {
	item := *p
	item.TextTags = storedTags(p.Text, p.TextTags)
	return &item
}

func idOfPost(p *social.Post) social.PostID { return p.PostID }
