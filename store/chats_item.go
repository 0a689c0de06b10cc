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

func (i *chatItem) chat() *social.Chat {
	return &social.Chat{
		ChatID:                i.ChatID,
		Type:                  i.ChatType,
		Name:                  i.Name,
		CreatedByUserID:       i.CreatedByUserID,
		CreatedAt:             i.CreatedAt.Time(),
		LastMessageActivityAt: i.LastMessageActivityAt.Time(),
		FlagCount:             i.FlagCount,
		MessagesCount:         i.MessagesCount,
		UserCount:             i.UserCount,
		JournalAt:             i.JournalAt.Time(),
		Pair:                  social.ChatPair{First: i.UserID1, Second: i.UserID2},
	}
}

func chatItemOf(c *social.Chat) chatItem {
	return chatItem{
		ChatID:                c.ChatID,
		ChatType:              c.Type,
		Name:                  c.Name,
		CreatedByUserID:       c.CreatedByUserID,
		CreatedAt:             keyspec.StampOf(c.CreatedAt),
		LastMessageActivityAt: keyspec.StampOf(c.LastMessageActivityAt),
		FlagCount:             c.FlagCount,
		MessagesCount:         c.MessagesCount,
		UserCount:             c.UserCount,
		JournalAt:             keyspec.StampOf(c.JournalAt),
		UserID1:               c.Pair.First,
		UserID2:               c.Pair.Second,
	}
}

func (i *chatMemberItem) membership() *social.ChatMember {
	return &social.ChatMember{
		ChatID:                i.ChatID,
		UserID:                i.UserID,
		JoinedAt:              i.JoinedAt.Time(),
		LastMessageActivityAt: i.LastMessageActivityAt.Time(),
		MessagesUnviewedCount: i.MessagesUnviewedCount,
		JournalAt:             i.JournalAt.Time(),
	}
}

func memberItemOf(m *social.ChatMember) *chatMemberItem {
	return &chatMemberItem{
		ChatID:                m.ChatID,
		UserID:                m.UserID,
		JoinedAt:              keyspec.StampOf(m.JoinedAt),
		LastMessageActivityAt: keyspec.StampOf(m.LastMessageActivityAt),
		MessagesUnviewedCount: m.MessagesUnviewedCount,
		JournalAt:             keyspec.StampOf(m.JournalAt),
	}
}

func (i *chatMessageItem) message() *social.ChatMessage {
	return &social.ChatMessage{
		MessageID:    i.MessageID,
		ChatID:       i.ChatID,
		UserID:       i.UserID,
		CreatedAt:    i.CreatedAt.Time(),
		LastEditedAt: i.LastEditedAt.Time(),
		FlagCount:    i.FlagCount,
		Text:         i.Text,
		TextTags:     textTagsOf(i.TextTags),
	}
}

func chatMessageItemOf(m *social.ChatMessage) chatMessageItem {
	return chatMessageItem{
		MessageID:    m.MessageID,
		ChatID:       m.ChatID,
		UserID:       m.UserID,
		CreatedAt:    keyspec.StampOf(m.CreatedAt),
		LastEditedAt: keyspec.StampOf(m.LastEditedAt),
		FlagCount:    m.FlagCount,
		Text:         m.Text,
		TextTags:     textTagItems(m.Text, m.TextTags),
	}
}
