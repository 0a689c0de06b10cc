package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// A group chat of a community.
var groupChats = keyspec.Define[groupChatItem](GroupChats, keyspec.Row{Key: keyspec.K("GROUPCHAT#{Id}", "GROUPCHAT#{Id}")})

type groupChatItem struct {
	Type          string                  `dynamo:"Type"`
	ID            communities.ChatID      `dynamo:"Id"`
	Name          string                  `dynamo:"Name"`
	Description   string                  `dynamo:"Description"`
	Capacity      int                     `dynamo:"Capacity"`
	Private       bool                    `dynamo:"Private,zero"`
	NumMembers    int                     `dynamo:"NumMembers,zero"`
	CommunityID   communities.CommunityID `dynamo:"CommunityId"`
	OwnerID       communities.UserID      `dynamo:"OwnerId"`
	CreatedAt     keyspec.MilliStamp      `dynamo:"CreatedAt"`
	LastMessageAt keyspec.MilliStamp      `dynamo:"LastMessageAt"`
	Version       int                     `dynamo:"Version"`
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
	JoinedAt    keyspec.MilliStamp      `dynamo:"JoinedAt"`
	ChatRole    communities.ChatRole    `dynamo:"ChatRole"`
	readMark
}

// readMark is the position up to which a member has read, and what was counted since.
type readMark struct {
	LastReadKey string `dynamo:"LastReadKey"`
	CountedKey  string `dynamo:"CountedKey"`
	UnreadCount int    `dynamo:"UnreadCount,zero"`
	Muted       bool   `dynamo:"Muted,zero"`
	// LoweredCount is absent until UnreadCount is corrected for a deleted message.
	LoweredCount int `dynamo:"LoweredCount"`
}

// A chat of two users.
var privateChats = keyspec.Define[privateChatItem](PrivateChats, keyspec.Row{Key: keyspec.K("PRIVATECHAT#{Id}", "PRIVATECHAT#{Id}")})

type privateChatItem struct {
	Type          string               `dynamo:"Type"`
	ID            communities.ChatID   `dynamo:"Id"`
	Name          *string              `dynamo:"Name"`
	Description   *string              `dynamo:"Description"`
	MemberIDs     []communities.UserID `dynamo:"MemberIds"`
	CreatedAt     keyspec.MilliStamp   `dynamo:"CreatedAt"`
	LastMessageAt keyspec.MilliStamp   `dynamo:"LastMessageAt"`
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
	JoinedAt     keyspec.MilliStamp `dynamo:"JoinedAt"`
	HiddenBefore keyspec.MilliStamp `dynamo:"HiddenBefore"`
	readMark
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

func groupChatItemOf(c *communities.Chat) groupChatItem {
	return groupChatItem{
		Type: "GroupChat", ID: c.ID, Name: c.Name, Description: c.Description, Capacity: c.Capacity, Private: c.Closed,
		NumMembers: c.NumMembers, CommunityID: c.CommunityID, OwnerID: c.OwnerID, CreatedAt: keyspec.MilliStampOf(c.CreatedAt),
		LastMessageAt: keyspec.MilliStampOf(c.LastMessageAt), Version: c.Version,
	}
}

func (i *groupChatItem) chat() *communities.Chat {
	return &communities.Chat{
		ChatRef: communities.GroupRef(i.ID), CreatedAt: i.CreatedAt.Time(), LastMessageAt: i.LastMessageAt.Time(),
		CommunityID: i.CommunityID, Name: i.Name, Description: i.Description, Capacity: i.Capacity, Closed: i.Private,
		NumMembers: i.NumMembers, OwnerID: i.OwnerID, Version: i.Version,
	}
}

func (i *privateChatItem) chat() *communities.Chat {
	return &communities.Chat{
		ChatRef: communities.PrivateRef(i.ID), CreatedAt: i.CreatedAt.Time(), LastMessageAt: i.LastMessageAt.Time(), MemberIDs: i.MemberIDs,
	}
}

func readMarkOf(m *communities.Member) readMark {
	return readMark{m.Read, m.Counted, m.Unread, m.Muted, m.Lowered}
}

func (r readMark) on(m *communities.Member) *communities.Member {
	m.Read, m.Counted, m.Unread, m.Muted, m.Lowered = r.LastReadKey, r.CountedKey, r.UnreadCount, r.Muted, r.LoweredCount
	return m
}

func groupMemberItemOf(m *communities.Member) groupMemberItem {
	return groupMemberItem{
		Type: "ChatMember", UserID: m.UserID, ChatID: m.Chat.ID, CommunityID: m.CommunityID, JoinedAt: keyspec.MilliStampOf(m.JoinedAt),
		ChatRole: m.Role, readMark: readMarkOf(m),
	}
}

func (i *groupMemberItem) member() *communities.Member {
	return i.on(&communities.Member{
		MemberRef:   communities.MemberRef{Chat: communities.GroupRef(i.ChatID), UserID: i.UserID},
		CommunityID: i.CommunityID, JoinedAt: i.JoinedAt.Time(), Role: i.ChatRole,
	})
}

func privateMemberItemOf(m *communities.Member) privateMemberItem {
	return privateMemberItem{
		Type: "ChatMember", UserID: m.UserID, ChatID: m.Chat.ID, OtherUserID: m.OtherID, JoinedAt: keyspec.MilliStampOf(m.JoinedAt),
		HiddenBefore: keyspec.MilliStampOf(m.HiddenBefore), readMark: readMarkOf(m),
	}
}

func (i *privateMemberItem) member() *communities.Member {
	return i.on(&communities.Member{
		MemberRef: communities.MemberRef{Chat: communities.PrivateRef(i.ChatID), UserID: i.UserID},
		JoinedAt:  i.JoinedAt.Time(), Role: communities.OrdinaryMember, OtherID: i.OtherUserID, HiddenBefore: i.HiddenBefore.Time(),
	})
}
