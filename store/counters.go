package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// Every counter of existing items is declared here, under the items it counts. Transactions
// call Moved with the item before and after; these counters are never updated directly.
// Counters of events, which only increase (postDeletedCount, commentDeletedCount), are
// updated where the event happens.

// followerCounts are on the follower's profile, followedCounts on the followed user's. They
// are separate because follows briefly outlive either profile.
var (
	followerCounts = keyspec.Count(follows, keyspec.Counters[social.Follow]{
		{Attribute: "followedCount", Owner: followerKey, Counts: isFollowing},
	})
	followedCounts = keyspec.Count(follows, keyspec.Counters[social.Follow]{
		{Attribute: "followerCount", Owner: followedKey, Counts: isFollowing},
		{Attribute: "followersRequestedCount", Owner: followedKey, Counts: isRequested},
	})
)

func followerKey(f *social.Follow) keyspec.Key { return profileKey(f.FollowerUserID) }
func followedKey(f *social.Follow) keyspec.Key { return profileKey(f.FollowedUserID) }
func isFollowing(f *social.Follow) bool        { return f.Status == social.Following }
func isRequested(f *social.Follow) bool        { return f.Status == social.FollowRequested }

// postCounts are on the profile of a post's owner.
var postCounts = keyspec.Count(posts, keyspec.Counters[social.Post]{
	{Attribute: "postCount", Owner: postOwner, Counts: isCompleted},
	{Attribute: "postArchivedCount", Owner: postOwner, Counts: isArchived},
})

// albumCounts are on the profile of an album's owner.
var albumCounts = keyspec.Count(albums, keyspec.Counters[social.Album]{
	{Attribute: "albumCount", Owner: albumOwner},
})

func albumOwner(a *social.Album) keyspec.Key { return profileKey(a.OwnedByUserID) }

// albumPostCounts are on the album. They are separate because posts briefly outlive their
// album.
var albumPostCounts = keyspec.Count(posts, keyspec.Counters[social.Post]{
	{Attribute: "postCount", Owner: func(p *social.Post) keyspec.Key { return albumKey(p.AlbumID) }, Counts: isRanked},
})

func isRanked(p *social.Post) bool {
	return p.AlbumID != "" && p.AlbumRank != social.Unranked
}

func postOwner(p *social.Post) keyspec.Key { return profileKey(p.PostedByUserID) }
func isCompleted(p *social.Post) bool      { return p.Status == social.PostCompleted }
func isArchived(p *social.Post) bool       { return p.Status == social.PostArchived }

// likeCounts are on the post.
var likeCounts = keyspec.Count(likes, keyspec.Counters[social.Like]{
	{Attribute: "onymousLikeCount", Owner: likedPost, Counts: isOnymous},
	{Attribute: "anonymousLikeCount", Owner: likedPost, Counts: isAnonymous},
})

func likedPost(l *social.Like) keyspec.Key { return postKey(l.PostID) }
func isOnymous(l *social.Like) bool        { return l.Status == social.OnymouslyLiked }
func isAnonymous(l *social.Like) bool      { return l.Status == social.AnonymouslyLiked }

// postCommentCounts are on the post, commentCounts on the author's profile. They are
// separate because comments briefly outlive their post.
var (
	postCommentCounts = keyspec.Count(comments, keyspec.Counters[social.Comment]{
		{Attribute: "commentCount", Owner: func(c *social.Comment) keyspec.Key { return posts.Key(string(c.PostID)) }, Counts: isShown},
	})
	commentCounts = keyspec.Count(comments, keyspec.Counters[social.Comment]{
		{Attribute: "commentCount", Owner: func(c *social.Comment) keyspec.Key { return profileKey(c.UserID) }},
	})
)

func isShown(c *social.Comment) bool { return !c.Held }

// cardCounts are on the profile of a card's user.
var cardCounts = keyspec.Count(cards, keyspec.Counters[social.Card]{
	{Attribute: "cardCount", Owner: func(c *social.Card) keyspec.Key { return profileKey(c.UserID) }},
})

// chatUserCounts are on the chat, memberCounts on a member's profile. They are separate
// because memberships briefly outlive their chat.
var (
	chatUserCounts = keyspec.Count(chatMembers, keyspec.Counters[social.ChatMember]{
		{Attribute: "userCount", Owner: func(m *social.ChatMember) keyspec.Key { return chatKey(m.ChatID) }},
	})
	memberCounts = keyspec.Count(chatMembers, keyspec.Counters[social.ChatMember]{
		{Attribute: "chatCount", Owner: chatMemberOwner},
		{Attribute: "chatsWithUnviewedMessagesCount", Owner: chatMemberOwner, Counts: hasUnviewed},
	})
)

func chatMemberOwner(m *social.ChatMember) keyspec.Key { return profileKey(m.UserID) }
func hasUnviewed(m *social.ChatMember) bool            { return m.MessagesUnviewedCount > 0 }

// chatMessageCounts are on the chat.
var chatMessageCounts = keyspec.Count(chatMessages, keyspec.Counters[social.ChatMessage]{
	{Attribute: "messagesCount", Owner: func(m *social.ChatMessage) keyspec.Key { return chatKey(m.ChatID) }, Counts: isSaid},
})

func isSaid(m *social.ChatMessage) bool { return !m.Held }

// postFlagCounts and the others below are on the flagged item.
var (
	postFlagCounts = keyspec.Count(postFlags, keyspec.Counters[postFlagItem]{
		{Attribute: "flagCount", Owner: func(f *postFlagItem) keyspec.Key { return postKey(f.PostID) }},
	})
	commentFlagCounts = keyspec.Count(commentFlags, keyspec.Counters[commentFlagItem]{
		{Attribute: "flagCount", Owner: func(f *commentFlagItem) keyspec.Key { return commentKey(f.CommentID) }},
	})
	chatFlagCounts = keyspec.Count(chatFlags, keyspec.Counters[chatFlagItem]{
		{Attribute: "flagCount", Owner: func(f *chatFlagItem) keyspec.Key { return chatKey(f.ChatID) }},
	})
	chatMessageFlagCounts = keyspec.Count(chatMessageFlags, keyspec.Counters[chatMessageFlagItem]{
		{Attribute: "flagCount", Owner: func(f *chatMessageFlagItem) keyspec.Key { return messageKey(f.MessageID) }},
	})
)
