package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

func chatKey(id social.ChatID) keyspec.Key { return chats.Key(string(id)) }

func messageKey(id social.ChatMessageID) keyspec.Key { return chatMessages.Key(string(id)) }

func memberKey(id social.ChatID, user social.UserID) keyspec.Key {
	return chatMembers.Key(string(id), string(user))
}

func directKey(pair social.ChatPair) keyspec.Key {
	return directChats.Key(string(pair.First), string(pair.Second))
}

func (i *chatItem) chat() *social.Chat { return &i.Chat }

func (i *chatMemberItem) membership() *social.ChatMember { return &i.ChatMember }

func (i *chatMessageItem) message() *social.ChatMessage { return &i.ChatMessage }

func chatMessageItemOf(m *social.ChatMessage) chatMessageItem {
	item := chatMessageItem{*m}
	item.TextTags = storedTags(m.Text, m.TextTags)
	return item
}
