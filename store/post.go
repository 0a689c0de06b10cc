package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A post. It is listed for its owner: stories by expiry (A1), posts by time (A2), posts
// with unviewed comments (A3).
var posts = keyspec.Define[postItem](Main, keyspec.Row{
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

type postItem struct {
	PostID           social.PostID     `dynamo:"postId"`
	PostedAt         keyspec.Stamp     `dynamo:"postedAt"`
	PostedByUserID   social.UserID     `dynamo:"postedByUserId"`
	PostType         social.PostType   `dynamo:"postType"`
	PostStatus       social.PostStatus `dynamo:"postStatus"`
	PostStatusReason string            `dynamo:"postStatusReason"`
	// RemovedBy is who archived the post. Posts archived before this was recorded have none.
	RemovedBy social.RemovedBy `dynamo:"removedBy"`
	AlbumID   social.AlbumID   `dynamo:"albumId"`
	// AlbumRank is between -1 and 1. It is -1 while the post is not COMPLETED.
	AlbumRank      *float64      `dynamo:"albumRank,keyonly"`
	OriginalPostID social.PostID `dynamo:"originalPostId"`
	ExpiresAt      keyspec.Stamp `dynamo:"expiresAt"`
	Text           string        `dynamo:"text"`
	Keywords       []string      `dynamo:"keywords"`
	TextTags       []textTagItem `dynamo:"textTags"`
	TextEditedAt   keyspec.Stamp `dynamo:"textEditedAt"`
	Checksum       string        `dynamo:"checksum"`

	IsVerified            *bool `dynamo:"isVerified"`
	IsVerifiedHiddenValue *bool `dynamo:"isVerifiedHiddenValue"`
	CommentsDisabled      *bool `dynamo:"commentsDisabled"`
	LikesDisabled         *bool `dynamo:"likesDisabled"`
	SharingDisabled       *bool `dynamo:"sharingDisabled"`
	VerificationHidden    *bool `dynamo:"verificationHidden"`
	SetAsUserPhoto        *bool `dynamo:"setAsUserPhoto"`

	ViewedByCount         int `dynamo:"viewedByCount"`
	OnymousLikeCount      int `dynamo:"onymousLikeCount"`
	AnonymousLikeCount    int `dynamo:"anonymousLikeCount"`
	FlagCount             int `dynamo:"flagCount"`
	CommentCount          int `dynamo:"commentCount"`
	CommentsUnviewedCount int `dynamo:"commentsUnviewedCount"`
	// LastUnreadCommentAt is the time of the newest comment that the owner has not viewed.
	LastUnreadCommentAt keyspec.Stamp `dynamo:"lastUnreadCommentAt,keyonly"`
}

// textTagItem is a mention in a post, a comment or a chat message.
type textTagItem struct {
	Tag    string        `dynamo:"tag"`
	UserID social.UserID `dynamo:"userId"`
}

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
	PostedAt       keyspec.Stamp `dynamo:"postedAt,keyonly"`
	PostedByUserID social.UserID `dynamo:"postedByUserId,keyonly"`
}

var postTrending = keyspec.Define[postTrendingItem](Main, keyspec.Row{
	Key: keyspec.K("post/{postId}", "trending"),
	On:  keyspec.Indexes{A4: keyspec.K("post/trending", "{score}")},
})

type postTrendingItem struct {
	PostID social.PostID `dynamo:"postId,keyonly"`
	trendingItem
}
