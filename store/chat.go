package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/social"
)

// A direct chat is found by the ids of its two users, in lexical order. Group chats have
// any number of users and are found through memberships only.
var chats = keyspec.Define[social.Chat](Main, keyspec.Row{
	Key: keyspec.K("chat/{chatId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("chat/{userId1}/{userId2}", "-").When("chatType", "DIRECT"),
	},
})

// A membership lists the members of a chat (K1) and the chats of a user by latest activity
// (K2).
var chatMembers = keyspec.Define[social.ChatMember](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("chat/{chatId}", "member/{userId}"),
	On: keyspec.Indexes{
		K1: keyspec.K("chat/{chatId}", "member/{joinedAt}"),
		K2: keyspec.K("member/{userId}", "chat/{lastMessageActivityAt}"),
	},
})

// Messages without a user are system messages.
var chatMessages = keyspec.Define[social.ChatMessage](Main, keyspec.Row{
	Version: 1,
	Key:     keyspec.K("chatMessage/{messageId}", "-"),
	On: keyspec.Indexes{
		A1: keyspec.K("chatMessage/{chatId}", "{createdAt}"),
	},
})

// Two users have at most one direct chat. The index on chats cannot ensure that, because it
// may lag.
var directChats = keyspec.Define[directChatItem](ops.Table, keyspec.Row{
	Key: keyspec.K("directChat/{userId1}/{userId2}", "-"),
})

type directChatItem struct {
	UserID1 social.UserID `dynamo:"userId1,keyonly"`
	UserID2 social.UserID `dynamo:"userId2,keyonly"`
	ChatID  social.ChatID `dynamo:"chatId"`
}

// The journal of a large group holds, by time, the changes that some members may have yet
// to count. An entry is removed once all members have counted it.
var chatEntries = keyspec.Define[chatEntryItem](ops.Table, keyspec.Row{
	Key: keyspec.K("chatJournal/{chatId}", "{at}"),
})

type chatEntryItem struct {
	ChatID social.ChatID `dynamo:"chatId,keyonly"`
	social.ChatEntry
}

// The large groups of a user. The place of such a chat in the user's list is not stored with
// the membership, but is that of its latest message.
var largeMembers = keyspec.Define[largeMemberItem](ops.Table, keyspec.Row{
	Key: keyspec.K("largeMember/{userId}", "{chatId}"),
})

type largeMemberItem struct {
	UserID social.UserID `dynamo:"userId,keyonly"`
	ChatID social.ChatID `dynamo:"chatId,keyonly"`
}

func largeMemberKey(m *social.ChatMember) keyspec.Key {
	return largeMembers.Key(string(m.UserID), string(m.ChatID))
}

func chatKey(id social.ChatID) keyspec.Key { return chats.Key(string(id)) }

func messageKey(id social.ChatMessageID) keyspec.Key { return chatMessages.Key(string(id)) }

func memberKey(id social.ChatID, user social.UserID) keyspec.Key {
	return chatMembers.Key(string(id), string(user))
}

func directKey(pair social.ChatPair) keyspec.Key {
	return directChats.Key(string(pair.First), string(pair.Second))
}

// storedMessage returns a message as it is stored.
func storedMessage(m *social.ChatMessage) social.ChatMessage {
	item := *m
	item.TextTags = storedTags(m.Text, m.TextTags)
	return item
}
