package store

import (
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

func postKey(id social.PostID) keyspec.Key { return posts.Key(string(id)) }

// storedPost returns a post as it is stored.
func storedPost(p *social.Post) *social.Post {
	item := *p
	item.TextTags = storedTags(p.Text, p.TextTags)
	return &item
}

func idOfPost(p *social.Post) social.PostID { return p.PostID }
