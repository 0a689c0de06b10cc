package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// Every counter that says how many items there are is declared here, under what it
// counts. Transactions call Moved with the item before and after; nobody shifts these
// by hand. Counters of what happened, which only ever rise (postDeletedCount,
// commentDeletedCount), are shifted where it happens.

// followerCounts are on the profile of the follower, followedCounts on that of the user they
// follow. They are apart because follows outlive the profile of either for a moment.
var (
	followerCounts = keyspec.Count(follows, keyspec.Counters[followItem]{
		{Attribute: "followedCount", Owner: (*followItem).follower, Counts: (*followItem).isFollowing},
	})
	followedCounts = keyspec.Count(follows, keyspec.Counters[followItem]{
		{Attribute: "followerCount", Owner: (*followItem).followed, Counts: (*followItem).isFollowing},
		{Attribute: "followersRequestedCount", Owner: (*followItem).followed, Counts: (*followItem).isRequested},
	})
)

func (f *followItem) follower() keyspec.Key { return profileKey(f.FollowerUserID) }
func (f *followItem) followed() keyspec.Key { return profileKey(f.FollowedUserID) }
func (f *followItem) isFollowing() bool     { return f.FollowStatus == social.Following }
func (f *followItem) isRequested() bool     { return f.FollowStatus == social.FollowRequested }

// postCounts are on the profile of a post's owner.
var postCounts = keyspec.Count(posts, keyspec.Counters[postItem]{
	{Attribute: "postCount", Owner: (*postItem).owner, Counts: (*postItem).isCompleted},
	{Attribute: "postArchivedCount", Owner: (*postItem).owner, Counts: (*postItem).isArchived},
})

// albumCounts are on the profile of an album's owner.
var albumCounts = keyspec.Count(albums, keyspec.Counters[albumItem]{
	{Attribute: "albumCount", Owner: (*albumItem).owner},
})

func (a *albumItem) owner() keyspec.Key { return profileKey(a.OwnedByUserID) }

// albumPostCounts are on the album. They are apart because posts are in their album for a
// moment after it is gone.
var albumPostCounts = keyspec.Count(posts, keyspec.Counters[postItem]{
	{Attribute: "postCount", Owner: func(p *postItem) keyspec.Key { return albumKey(p.AlbumID) }, Counts: (*postItem).isRanked},
})

func (p *postItem) isRanked() bool {
	return p.AlbumID != "" && p.AlbumRank != nil && *p.AlbumRank != social.Unranked
}

func (p *postItem) owner() keyspec.Key { return profileKey(p.PostedByUserID) }
func (p *postItem) isCompleted() bool  { return p.PostStatus == social.PostCompleted }
func (p *postItem) isArchived() bool   { return p.PostStatus == social.PostArchived }

// likeCounts are on the post.
var likeCounts = keyspec.Count(likes, keyspec.Counters[likeItem]{
	{Attribute: "onymousLikeCount", Owner: (*likeItem).post, Counts: (*likeItem).isOnymous},
	{Attribute: "anonymousLikeCount", Owner: (*likeItem).post, Counts: (*likeItem).isAnonymous},
})

func (l *likeItem) post() keyspec.Key { return posts.Key(string(l.PostID)) }
func (l *likeItem) isOnymous() bool   { return l.LikeStatus == social.OnymouslyLiked }
func (l *likeItem) isAnonymous() bool { return l.LikeStatus == social.AnonymouslyLiked }

// postCommentCounts are on the post, commentCounts on the profile of the author. They
// are apart because the comments of a post outlive it for a moment.
var (
	postCommentCounts = keyspec.Count(comments, keyspec.Counters[commentItem]{
		{Attribute: "commentCount", Owner: func(c *commentItem) keyspec.Key { return posts.Key(string(c.PostID)) }},
	})
	commentCounts = keyspec.Count(comments, keyspec.Counters[commentItem]{
		{Attribute: "commentCount", Owner: func(c *commentItem) keyspec.Key { return profileKey(c.UserID) }},
	})
)

// cardCounts are on the profile of a card's user.
var cardCounts = keyspec.Count(cards, keyspec.Counters[cardItem]{
	{Attribute: "cardCount", Owner: func(c *cardItem) keyspec.Key { return profileKey(c.UserID) }},
})

// chatUserCounts are on the chat, memberCounts on the profile of a member. They are apart
// because memberships outlive their chat for a moment.
var (
	chatUserCounts = keyspec.Count(chatMembers, keyspec.Counters[chatMemberItem]{
		{Attribute: "userCount", Owner: func(m *chatMemberItem) keyspec.Key { return chatKey(m.ChatID) }},
	})
	memberCounts = keyspec.Count(chatMembers, keyspec.Counters[chatMemberItem]{
		{Attribute: "chatCount", Owner: (*chatMemberItem).member},
		{Attribute: "chatsWithUnviewedMessagesCount", Owner: (*chatMemberItem).member, Counts: (*chatMemberItem).hasUnviewed},
	})
)

func (m *chatMemberItem) member() keyspec.Key { return profileKey(m.UserID) }
func (m *chatMemberItem) hasUnviewed() bool   { return m.MessagesUnviewedCount > 0 }

// chatMessageCounts are on the chat.
var chatMessageCounts = keyspec.Count(chatMessages, keyspec.Counters[chatMessageItem]{
	{Attribute: "messagesCount", Owner: func(m *chatMessageItem) keyspec.Key { return chatKey(m.ChatID) }},
})

// postFlagCounts and those beside it are on what is flagged.
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
