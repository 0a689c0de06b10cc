package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// A group chat of a community.
var groupChats = keyspec.Define[groupChatItem](GroupChats, keyspec.Row{Key: keyspec.K("GROUPCHAT#{Id}", "GROUPCHAT#{Id}")})

type groupChatItem struct {
	Type string `dynamo:"Type"`
	communities.Chat
}

// A membership of a group chat. UnreadCount counts up to CountedKey.
var groupMembers = keyspec.Define[groupMemberItem](GroupChats, keyspec.Row{
	Key: keyspec.K("GROUPCHAT#{ChatId}", "USER#{UserId}"),
	On:  keyspec.Indexes{UserGroupChats: keyspec.K("USER#{UserId}", "GROUPCHAT#{ChatId}")},
})

type groupMemberItem struct {
	Type        string                  `dynamo:"Type"`
	UserID      communities.UserID      `dynamo:"UserId"`
	ChatID      communities.ChatID      `dynamo:"ChatId"`
	CommunityID communities.CommunityID `dynamo:"CommunityId"`
	JoinedAt    time.Time               `dynamo:"JoinedAt"`
	ChatRole    communities.ChatRole    `dynamo:"ChatRole"`
	communities.ReadMark
}

// A chat of two users.
var privateChats = keyspec.Define[privateChatItem](PrivateChats, keyspec.Row{Key: keyspec.K("PRIVATECHAT#{Id}", "PRIVATECHAT#{Id}")})

type privateChatItem struct {
	Type          string               `dynamo:"Type"`
	ID            communities.ChatID   `dynamo:"Id"`
	Name          *string              `dynamo:"Name"`
	Description   *string              `dynamo:"Description"`
	MemberIDs     []communities.UserID `dynamo:"MemberIds"`
	CreatedAt     time.Time            `dynamo:"CreatedAt"`
	LastMessageAt time.Time            `dynamo:"LastMessageAt"`
	LastHeldAt    time.Time            `dynamo:"LastHeldAt"`
}

// A membership of a private chat.
var privateMembers = keyspec.Define[privateMemberItem](PrivateChats, keyspec.Row{
	Key: keyspec.K("PRIVATECHAT#{ChatId}", "USER#{UserId}"),
	On:  keyspec.Indexes{UserPrivateChats: keyspec.K("USER#{UserId}", "PRIVATECHAT#{ChatId}")},
})

type privateMemberItem struct {
	Type         string             `dynamo:"Type"`
	UserID       communities.UserID `dynamo:"UserId"`
	ChatID       communities.ChatID `dynamo:"ChatId"`
	OtherUserID  communities.UserID `dynamo:"OtherUserId"`
	JoinedAt     time.Time          `dynamo:"JoinedAt"`
	HiddenBefore time.Time          `dynamo:"HiddenBefore"`
	communities.ReadMark
}

// numCounts are counters on the chat.
var numCounts = keyspec.Count(groupMembers, keyspec.Counters[groupMemberItem]{
	{Attribute: "NumMembers", Owner: func(m *groupMemberItem) keyspec.Key { return groupChatKey(m.ChatID) }},
})

func groupChatKey(id communities.ChatID) keyspec.Key { return groupChats.Key(string(id), string(id)) }

func privateChatKey(id communities.ChatID) keyspec.Key {
	return privateChats.Key(string(id), string(id))
}

func groupMemberKey(chat communities.ChatID, user communities.UserID) keyspec.Key {
	return groupMembers.Key(string(chat), string(user))
}

func privateMemberKey(chat communities.ChatID, user communities.UserID) keyspec.Key {
	return privateMembers.Key(string(chat), string(user))
}

// updateChat and updateMember start a change of attributes that both types of chats have.
func updateChat(tx *keyspec.Tx, c communities.ChatRef) keyspec.Update {
	if c.Type == communities.Private {
		return privateChats.Update(tx, privateChatKey(c.ID))
	}
	return groupChats.Update(tx, groupChatKey(c.ID))
}

func updateMember(tx *keyspec.Tx, m communities.MemberRef) keyspec.Update {
	if m.Chat.Type == communities.Private {
		return privateMembers.Update(tx, privateMemberKey(m.Chat.ID, m.UserID))
	}
	return groupMembers.Update(tx, groupMemberKey(m.Chat.ID, m.UserID))
}

// checkMember requires that a user is a member of a chat.
func checkMember(tx *keyspec.Tx, m communities.MemberRef) keyspec.Write {
	if m.Chat.Type == communities.Private {
		return privateMembers.Check(tx, privateMemberKey(m.Chat.ID, m.UserID)).Exists()
	}
	return groupMembers.Check(tx, groupMemberKey(m.Chat.ID, m.UserID)).Exists()
}

func groupChatItemOf(c *communities.Chat) groupChatItem { return groupChatItem{"GroupChat", *c} }

func (i *groupChatItem) chat() *communities.Chat {
	i.ChatRef.Type = communities.Group
	return &i.Chat
}

func (i *privateChatItem) chat() *communities.Chat {
	return &communities.Chat{
		ChatRef: communities.PrivateRef(i.ID), CreatedAt: i.CreatedAt, LastMessageAt: i.LastMessageAt, LastHeldAt: i.LastHeldAt, MemberIDs: i.MemberIDs,
	}
}

func groupMemberItemOf(m *communities.Member) groupMemberItem {
	return groupMemberItem{
		Type: "ChatMember", UserID: m.UserID, ChatID: m.Chat.ID, CommunityID: m.CommunityID, JoinedAt: m.JoinedAt,
		ChatRole: m.Role, ReadMark: m.ReadMark,
	}
}

func (i *groupMemberItem) member() *communities.Member {
	return &communities.Member{
		MemberRef:   communities.MemberRef{Chat: communities.GroupRef(i.ChatID), UserID: i.UserID},
		CommunityID: i.CommunityID, JoinedAt: i.JoinedAt, Role: i.ChatRole, ReadMark: i.ReadMark,
	}
}

func privateMemberItemOf(m *communities.Member) privateMemberItem {
	return privateMemberItem{
		Type: "ChatMember", UserID: m.UserID, ChatID: m.Chat.ID, OtherUserID: m.OtherID, JoinedAt: m.JoinedAt,
		HiddenBefore: m.HiddenBefore, ReadMark: m.ReadMark,
	}
}

func (i *privateMemberItem) member() *communities.Member {
	return &communities.Member{
		MemberRef: communities.MemberRef{Chat: communities.PrivateRef(i.ChatID), UserID: i.UserID},
		JoinedAt:  i.JoinedAt, Role: communities.OrdinaryMember, OtherID: i.OtherUserID, HiddenBefore: i.HiddenBefore,
		ReadMark: i.ReadMark,
	}
}
